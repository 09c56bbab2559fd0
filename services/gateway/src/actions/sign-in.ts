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
import { failuresMax, failureWindowMs, waitForAttempt } from '../rules/sign-in-limit.ts';
import { type SignedIn, startSession } from './start-session.ts';

/**
 * Signs in. A wrong address and a wrong password get the same answer after the same time.
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

/** Counts the attempt as failed before the password is checked, so that concurrent attempts cannot exceed the limit. */
async function beginAttempt(deps: GatewayDeps, emailHash: Buffer): Promise<string> {
  const now = deps.now();
  const since = new Date(now.getTime() - failureWindowMs);
  return await deps.db.transaction(async tx => {
    await lockEmail(tx, emailHash);
    await deleteOldFailures(tx, since);
    const failures = await listFailures(tx, emailHash, since, failuresMax);
    const waitMs = waitForAttempt(failures, now);
    if (waitMs !== null) throw rateLimited(Math.max(1, Math.ceil(waitMs / 1000)));
    return await insertFailure(tx, emailHash, now);
  });
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest();
}
