import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@hookline/shared/kernel';
import type { SealedSecret } from '../queries/webhooks.ts';

/** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks writes a symmetric secret. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Bound to its webhook: sealed text moved to another row does not open. */
export function sealSecret(box: SecretBox, webhookId: string, secret: string): SealedSecret {
  return { sealed: box.seal(secret, webhookId), until: null };
}

/**
 * The secrets that sign now, the current one first. One in overlap that no key opens is left out.
 * @returns null when no key opens the current one.
 */
export function liveSecrets(
  box: SecretBox,
  webhookId: string,
  secrets: readonly SealedSecret[],
  now: Date,
): string[] | null {
  const live = secrets.filter(({ until }) => until === null || new Date(until) > now);
  const [current, ...others] = live.map(({ sealed }) => openSecret(box, webhookId, sealed));
  if (current === undefined || current === null) return null;
  return [current, ...others.filter(secret => secret !== null)];
}

function openSecret(box: SecretBox, webhookId: string, sealed: string): string | null {
  try {
    return box.open(sealed, webhookId);
  } catch {
    return null;
  }
}
