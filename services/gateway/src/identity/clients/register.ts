import { newId } from '@hookline/shared/kernel';
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { IdentityDeps } from '../../identity-deps.ts';
import { readRegistration, unusedClientMs } from './metadata.rules.ts';
import { OAuthError } from './oauth-error.rules.ts';
import { deleteOldestUnusedClient, insertClient, pruneAndCountClients } from './queries.ts';
import type { OAuthClientRow } from './record.ts';

/** Registered clients at most; the unused of the last day are the most of them. */
const clientsMax = 2_000;
const flowMs = 10 * minuteMs;

/**
 * Registers a public client (RFC 7591). It ends in a day unless a person grants it something, or earlier when
 * there are too many.
 */
export async function registerClient(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  given: unknown,
): Promise<OAuthClientRow & { createdAt: Date }> {
  const read = readRegistration(given);
  if ('error' in read) throw new OAuthError(read.error, read.reason);
  const at = now();
  return await db.transaction(async tx => {
    const isFull = (await pruneAndCountClients(tx, at)) >= clientsMax;
    const before = new Date(at.getTime() - flowMs);
    if (isFull && !(await deleteOldestUnusedClient(tx, { unusedMs: unusedClientMs, before }))) {
      throw new OAuthError(
        'temporarily_unavailable',
        'client_id cannot be given out: too many clients were registered just now; try again in 10 minutes, or use a client id metadata document',
        429,
        600,
      );
    }
    const id = newId('client', at.getTime());
    const client = { id, name: read.name, redirectUris: [...read.redirectUris] };
    await insertClient(tx, { ...client, expiresAt: new Date(at.getTime() + unusedClientMs), now: at });
    return { ...client, createdAt: at };
  });
}
