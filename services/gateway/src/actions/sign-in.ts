import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import { isKnownPair, saveKnownPair } from '../queries/sign-in-addresses.ts';
import {
  countFailures,
  deleteFailure,
  deleteOldFailures,
  insertFailure,
  listFailures,
  lockEmail,
} from '../queries/sign-in-failures.ts';
import { findUserByEmail, updatePasswordHash } from '../queries/users.ts';
import { hashEmail, hashPair } from '../rules/email-digest.ts';
import {
  allFailuresMax,
  failuresMax,
  failureWindowMs,
  knownAddressesMax,
  waitForAttempt,
} from '../rules/sign-in-limit.ts';
import { type SignedIn, startSession } from './start-session.ts';

/** `failureId`: counted as failed already. `waitMs`: too many failed before. */
type Attempt = { pairHash: Buffer } & ({ failureId: string } | { waitMs: number });

/**
 * Signs in. A wrong e-mail address and a wrong password get the same answer after the same time.
 * @param address the network address of the client.
 * @throws ApiError `unauthorized`; `rate_limited` after 10 failures per e-mail and network address in 15 min, whether
 * or not there is such a user. The right password is not refused where the user signed in before (D-70).
 */
export async function signIn(
  deps: GatewayDeps,
  { email, password }: { email: string; password: string },
  address: string,
): Promise<SignedIn> {
  const attempt = await beginAttempt(deps, email, address);
  const user = await findUserByEmail(deps.db, email);
  const matches = await deps.passwords.matches(password, user?.passwordHash ?? null);
  if (!user || !matches) {
    if ('waitMs' in attempt) throw tooMany(attempt.waitMs);
    throw new ApiError('unauthorized', 'Wrong e-mail or password.');
  }
  if ('failureId' in attempt) await deleteFailure(deps.db, attempt.failureId);
  if (deps.passwords.isOutdated(user.passwordHash)) {
    await updatePasswordHash(deps.db, user, await deps.passwords.hash(password));
  }
  const now = deps.now();
  await saveKnownPair(deps.db, { pairHash: attempt.pairHash, userId: user.id, now }, knownAddressesMax);
  return await startSession(deps.db, user, now);
}

/** Counts the attempt as failed before the password is checked, so that concurrent attempts cannot exceed the limit. */
async function beginAttempt(deps: GatewayDeps, email: string, address: string): Promise<Attempt> {
  const now = deps.now();
  const since = new Date(now.getTime() - failureWindowMs);
  const [emailHash, pairHash] = [hashEmail(email), hashPair(email, address)];
  return await deps.db.transaction(async tx => {
    await lockEmail(tx, emailHash);
    await deleteOldFailures(tx, since);
    const isKnown = await isKnownPair(tx, pairHash);
    const ofPair = await listFailures(tx, pairHash, since, failuresMax);
    const all = await countFailures(tx, emailHash, since, allFailuresMax + 1);
    const waitMs = waitForAttempt({ ofPair, all, isKnown }, now);
    if (waitMs === null)
      return { pairHash, failureId: await insertFailure(tx, { emailHash, pairHash, failedAt: now }) };
    if (!isKnown) throw tooMany(waitMs);
    return { pairHash, waitMs };
  });
}

function tooMany(waitMs: number): ApiError {
  return rateLimited(Math.max(1, Math.ceil(waitMs / 1000)));
}
