import { invalidRequest } from '@hookline/shared/contracts';
import type { SealedSecret } from '../records/webhook.ts';

const hourMs = 3_600_000;
// A header of a delivery holds one signature per live secret.
const secretsMax = 10;

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

/** The secrets that sign now, the current one first. */
export function listSigning(secrets: readonly SealedSecret[], now: Date): SealedSecret[] {
  return secrets.filter(({ until }) => until === null || new Date(until) > now);
}
