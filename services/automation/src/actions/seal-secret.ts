import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@hookline/shared/kernel';
import type { SealedSecret } from '../records/webhook.ts';

/** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks writes a symmetric secret. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Bound to its webhook: sealed text moved to another row does not open. */
export function sealSecret(box: SecretBox, webhookId: string, secret: string): SealedSecret {
  return { sealed: box.seal(secret, webhookId), until: null };
}
