import { randomBytes } from 'node:crypto';
import { ApiError } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { From } from '../audit/record.ts';
import { findMembership, insertOwnWorkspace } from '../standing/queries.ts';
import { actorOf } from '../standing/record.ts';
import { hasPasskey } from '../users/queries-second-factor.ts';
import { type OidcUserRow, toUser, type UserRow } from '../users/record.ts';
import { insertSession } from './queries.ts';
import { toSession } from './record.ts';
import { makeSessionToken, sessionLifetimeMs } from './token.rules.ts';

export type SignedIn = {
  user: UserRow | OidcUserRow;
  session: { id: string; token: string; expiresAt: Date; createdAt: Date };
};

export type SignInContext = { tx: Transaction; from: From; now: Date };

/** `link` is the one-time link of `npm start`. */
export type SignInMethod =
  | 'password'
  | 'password_and_passkey'
  | 'password_and_recovery_code'
  | 'passkey'
  | 'oidc'
  | 'link';

/**
 * Creates a session, and its row in the audit log, in the given workspace or, without one, in the person's
 * own. Only this call returns the plain text of its token.
 * @throws ApiError `second_factor_required` for a password alone, where the person has a passkey
 */
export async function openSession(
  { tx, from: { address, requestId, client }, now }: SignInContext,
  user: UserRow | OidcUserRow,
  { method, accountId = user.accountId }: { method: SignInMethod; accountId?: string },
): Promise<SignedIn> {
  if (method === 'password' && (await hasPasskey(tx, user.id))) throw new ApiError('second_factor_required');
  const membership = await findMembership(tx, user.id, [accountId]);
  if (!membership) throw withoutWorkspace();
  const token = makeSessionToken(randomBytes(32));
  const id = newId('session', now.getTime());
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
  await insertSession(tx, {
    id,
    userId: user.id,
    accountId: membership.accountId,
    tokenHash: sha256(token),
    client,
    expiresAt,
    now,
  });
  // The log is locked last: whoever removes a member ends sessions before, too.
  const actor = actorOf(user);
  const subject = { kind: 'user' as const, id: user.id };
  const detail = { method };
  await insertAudit(
    { tx, by: { actor, address, requestId }, now },
    { accountId: membership.accountId, action: 'auth.sign_in', subject, detail },
  );
  return { user, session: { id, token, expiresAt, createdAt: now } };
}

/** Whoever was removed from their last workspace gets one of their own, where anybody may sign up. */
export async function ensureWorkspace(
  { signUps }: Pick<IdentityDeps, 'signUps'>,
  { tx, from, now }: SignInContext,
  user: UserRow,
): Promise<void> {
  if (signUps.openTo !== 'open' || (await findMembership(tx, user.id, []))) return;
  signUps.count(from.address);
  const accountId = newId('acct', now.getTime());
  const name = user.name ?? user.email.replace(/@.*$/, '');
  await insertOwnWorkspace(tx, { accountId, name, userId: user.id, now });
}

function withoutWorkspace(): ApiError {
  return new ApiError(
    'missing_scope',
    'You are not a member of any workspace any more: ask an owner for an invitation.',
  );
}

export async function auditSignUp(
  { tx, from: { address, requestId }, now }: SignInContext,
  user: UserRow | OidcUserRow,
  { method, accountId }: { method: SignInMethod; accountId: string },
): Promise<void> {
  const subject = { kind: 'user' as const, id: user.id };
  const detail = { method };
  await insertAudit(
    { tx, by: { actor: actorOf(user), address, requestId }, now },
    { accountId, action: 'auth.sign_up', subject, detail },
  );
}

export function toSignedIn({ user, session }: SignedIn) {
  return { data: { user: toUser(user), session: { ...toSession(session), token: session.token } } };
}
