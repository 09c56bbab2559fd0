import { createHash } from 'node:crypto';
import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import {
  deleteFailure,
  deleteOldFailures,
  insertFailure,
  listFailures,
  lockEmail,
} from '../queries/sign-in-failures.ts';
import { findUserByEmail } from '../queries/users.ts';
import { type SignedIn, startSession } from './start-session.ts';

const failuresMax = 10;
const failureWindowMs = 15 * 60_000;

/**
 * Signs in. A wrong address and a wrong password are answered alike and in like time.
 * @throws ApiError `unauthorized`; `rate_limited` after 10 failures per address in 15 min, known address or not.
 */
export async function signIn(
  deps: GatewayDeps,
  { email, password }: { email: string; password: string },
): Promise<SignedIn> {
  const attempt = await beginAttempt(deps, hashEmail(email));
  const user = await findUserByEmail(deps.db, email);
  const matches = await deps.passwords.matches(password, user?.passwordHash ?? null);
  if (!user || !matches) throw new ApiError('unauthorized', 'Wrong e-mail or password.');
  await deleteFailure(deps.db, attempt);
  return await startSession(deps.db, user, deps.now());
}

/** Counts the attempt as failed before the password is looked at, so that many at once cannot pass together. */
async function beginAttempt(deps: GatewayDeps, emailHash: Buffer): Promise<string> {
  const now = deps.now();
  const since = new Date(now.getTime() - failureWindowMs);
  return await deps.db.transaction(async tx => {
    await lockEmail(tx, emailHash);
    await deleteOldFailures(tx, since);
    const failures = await listFailures(tx, emailHash, since, failuresMax);
    const oldest = failures[failuresMax - 1];
    if (oldest) {
      const waitMs = oldest.getTime() + failureWindowMs - now.getTime();
      throw rateLimited(Math.max(1, Math.ceil(waitMs / 1000)));
    }
    return await insertFailure(tx, emailHash, now);
  });
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest();
}
