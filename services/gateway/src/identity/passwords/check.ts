import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { insertMail } from '../mail/queries.ts';
import type { SignInMethod } from '../sessions/start.ts';
import { hashEmail, hashPair } from '../users/email.rules.ts';
import { findUser, findUserByEmail, updatePasswordHash } from '../users/queries.ts';
import type { UserRow } from '../users/record.ts';
import { auditAttempt } from './audit-attempt.ts';
import {
  countFailures,
  deleteFailure,
  deleteOldFailures,
  insertFailure,
  isKnownPair,
  listFailures,
  lockEmail,
  saveKnownPair,
} from './queries.ts';
import {
  allFailuresMax,
  failureWindowMs,
  knownAddressesMax,
  knownFailuresMax,
  waitForAttempt,
} from './sign-in-limit.rules.ts';

/** What proves the person behind the right password. A check uses it up. */
export type SecondFactor = { method: SignInMethod; refusal: string; check(user: UserRow): Promise<boolean> };

/** Counted as failed already. `waitMs`: too many failed before; null when the attempt is within the limit. */
type Attempt = { failureId: string; waitMs: number | null; isKnown: boolean };

/**
 * The user with this password, or null; a wrong e-mail address takes the same time as a wrong password. The
 * password may be replaced while it is checked: use `lockPasswordHash` in the transaction of what it permits.
 * @param second behind the right password; one that is wrong counts as a wrong password
 */
export async function checkPassword(
  deps: IdentityDeps,
  { email, password }: { email: string; password: string },
  { address, requestId }: From,
  second: SecondFactor | null = null,
): Promise<UserRow | null> {
  const attempt = await beginAttempt(deps, email, address);
  const user = await findUserByEmail(deps.db, email);
  const matches = await check(deps, { password, hash: user?.passwordHash ?? null }, attempt);
  const isSecondWrong = matches && user && second && !(await second.check(user));
  if (!user || user.passwordHash === null || !matches || isSecondWrong) {
    if (user) {
      const detail = { method: 'password', ...(isSecondWrong ? { reason: 'second_factor' } : {}) } as const;
      // Waiting for this transaction would reveal that the user exists.
      deps.afterAnswer.run(() => auditAttempt(deps, { userId: user.id, ...detail }, { address, requestId }));
    }
    if (attempt.waitMs !== null) throw tooMany(attempt.waitMs);
    if (!attempt.isKnown) deps.failedSignIns.count(address);
    if (isSecondWrong) throw new ApiError('second_factor_required', second?.refusal);
    return null;
  }
  await deleteFailure(deps.db, attempt.failureId);
  return deps.passwords.isOutdated(user.passwordHash) ? await renewHash(deps, user, password) : user;
}

export function wrongPassword(): ApiError {
  return new ApiError('unauthorized', 'Wrong e-mail or password.');
}

/** Failures of others no longer keep the person from signing in at this address. */
export async function knowAddress(
  tx: Transaction,
  { id: userId, email }: Pick<UserRow, 'id' | 'email'>,
  { from, now }: { from: Pick<From, 'address'>; now: Date },
): Promise<void> {
  const pairHash = hashPair(email, from.address);
  await saveKnownPair(tx, { pairHash, userId, now }, knownAddressesMax);
}

/** A password that could not be checked does not count as a failure. */
async function check(
  { db, passwords }: IdentityDeps,
  { password, hash }: { password: string; hash: string | null },
  { failureId }: Attempt,
): Promise<boolean> {
  try {
    return await passwords.matches(password, hash);
  } catch (error) {
    await deleteFailure(db, failureId);
    throw error;
  }
}

/**
 * Hashes the password with the present parameters. The sign-in does not depend on it: the next one tries
 * again. Null when the password was changed in the meantime.
 */
async function renewHash(
  { db, passwords, log }: IdentityDeps,
  user: UserRow,
  password: string,
): Promise<UserRow | null> {
  try {
    const passwordHash = await passwords.hash(password);
    if (await updatePasswordHash(db, user, passwordHash)) return { ...user, passwordHash };
    // Another sign-in with the same password may have renewed it first.
    const current = await findUser(db, user.id);
    return current && (await passwords.matches(password, current.passwordHash)) ? current : null;
  } catch (error) {
    log.warn({ err: error, userId: user.id }, 'the hash of a password was not renewed');
    return user;
  }
}

/**
 * Counts the attempt as failed before the password is checked, so that concurrent attempts
 * cannot exceed the limit.
 */
async function beginAttempt(deps: IdentityDeps, email: string, address: string): Promise<Attempt> {
  const now = deps.now();
  const since = new Date(now.getTime() - failureWindowMs);
  const [emailHash, pairHash] = [hashEmail(email), hashPair(email, address)];
  return await deps.db.transaction(async tx => {
    await lockEmail(tx, emailHash);
    await deleteOldFailures(tx, since);
    const ofPair = await listFailures(tx, pairHash, { since, max: knownFailuresMax });
    const isKnown = ofPair.length < knownFailuresMax && (await isKnownPair(tx, pairHash));
    const all = await countFailures(tx, emailHash, { since, max: allFailuresMax + 1 });
    const waitMs = waitForAttempt({ ofPair, all, isKnown }, now);
    if (waitMs !== null && !isKnown) throw tooMany(waitMs);
    // One password tried on many e-mail addresses.
    if (!isKnown) deps.failedSignIns.refuseWhenFull(address);
    // The attempt that reaches the limit: from the next one on, unknown addresses are slowed down.
    if (all === allFailuresMax && deps.mailer) {
      await insertMail(tx, { kind: 'sign_in_slowed', recipient: email, subjectId: '', now });
    }
    return { failureId: await insertFailure(tx, { emailHash, pairHash, failedAt: now }), waitMs, isKnown };
  });
}

function tooMany(waitMs: number): ApiError {
  return rateLimited(Math.max(1, Math.ceil(waitMs / 1000)));
}
