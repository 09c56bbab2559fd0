import { invalidRequest } from '@hookline/shared/contracts';
import type { SecretBox } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { SealedSecret } from './record.ts';

// A header of a delivery holds one signature per live secret.
const secretsMax = 10;

/** A secret is `whsec_` and the base64 of 32 random bytes, as Standard Webhooks writes it. */
export function makeSecret(random: Buffer): string {
  return `whsec_${random.toString('base64')}`;
}

/** Sealed text is bound to its webhook: moved to another row it does not open. */
export function sealSecret(box: SecretBox, webhookId: string, secret: string): SealedSecret {
  return { sealed: box.seal(secret, webhookId), until: null };
}

/** Puts the new secret before those whose overlap still runs. */
export function rotateSecrets(
  secrets: readonly SealedSecret[],
  added: SealedSecret,
  { overlapHours, now }: { overlapHours: number; now: Date },
): SealedSecret[] {
  const until = new Date(now.getTime() + overlapHours * hourMs).toISOString();
  const overlapping = secrets
    .map(entry => ({ ...entry, until: entry.until ?? until }))
    .filter(entry => new Date(entry.until) > now);
  if (overlapping.length >= secretsMax) {
    throw invalidRequest(
      `id names a webhook with ${secretsMax} secrets in overlap; rotate again when one has ended`,
    );
  }
  return [added, ...overlapping];
}

/** @returns the secrets that sign now, the current one first; null when no key opens that one. */
export function openSecrets(
  box: SecretBox,
  { id, secrets }: { id: string; secrets: readonly SealedSecret[] },
  now: Date,
): string[] | null {
  const [current, ...others] = secrets
    .filter(({ until }) => until === null || new Date(until) > now)
    .map(({ sealed }) => box.tryOpen(sealed, id));
  if (current === undefined || current === null) return null;
  return [current, ...others.filter(secret => secret !== null)];
}
