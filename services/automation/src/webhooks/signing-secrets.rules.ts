/**
 * The signing secrets of a webhook: `whsec_` and the base64 of 32 random bytes, as
 * Standard Webhooks writes them.
 */
import { invalidRequest } from '@hookline/shared/contracts';
import type { SecretBox } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { SealedSecret } from './record.ts';

// A header of a delivery holds one signature per live secret.
const secretsMax = 10;

/** @param random 32 bytes */
export function makeSecret(random: Buffer): string {
  return `whsec_${random.toString('base64')}`;
}

/** Bound to its webhook: sealed text moved to another row does not open. */
export function sealSecret(box: SecretBox, webhookId: string, secret: string): SealedSecret {
  return { sealed: box.seal(secret, webhookId), until: null };
}

/**
 * The secrets of a webhook after a rotation: the new one first, then those whose overlap still runs.
 * @throws ApiError `invalid_request` when too many are in overlap.
 */
export function rotateSecrets(
  secrets: readonly SealedSecret[],
  added: SealedSecret,
  overlapHours: number,
  now: Date,
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

/**
 * The secrets that sign now, the current one first. One in overlap that no key opens is left out.
 * @returns null when no key opens the current one.
 */
export function openSecrets(
  box: SecretBox,
  webhookId: string,
  secrets: readonly SealedSecret[],
  now: Date,
): string[] | null {
  const [current, ...others] = secrets
    .filter(({ until }) => until === null || new Date(until) > now)
    .map(({ sealed }) => box.tryOpen(sealed, webhookId));
  if (current === undefined || current === null) return null;
  return [current, ...others.filter(secret => secret !== null)];
}
