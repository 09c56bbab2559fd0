import { ApiError } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { OidcClaims, OidcIssuer } from '../adapters/oidc-issuer.ts';
import type { GatewayDeps } from '../deps.ts';
import { insertAudit } from '../queries/audit-events.ts';
import { findMembership, type Membership } from '../queries/members.ts';
import { findOidcUser, insertOidcUser, updateOidcUser } from '../queries/oidc-users.ts';
import type { SessionPerson } from '../records/session.ts';
import { actorOf } from '../records/standing.ts';
import type { OidcUserRow } from '../records/user.ts';
import type { From } from './check-password.ts';

/** `membership` is null for a person without a workspace. */
export type OidcSession = { person: SessionPerson; membership: Membership | null };

/** Somebody whom the issuer knows and who has never been here. */
export type Newcomer = { token: string; claims: OidcClaims };

/**
 * Opens a session from a JWT of the OIDC issuer. Null when the token is invalid.
 * @throws ApiError `service_unavailable`
 */
export async function openOidcSession(
  { db, now }: Pick<GatewayDeps, 'db' | 'now'>,
  oidc: OidcIssuer,
  token: string,
): Promise<OidcSession | { newcomer: Newcomer } | null> {
  const claims = await oidc.verify(token);
  if (!claims) return null;
  const known = await findOidcUser(db, claims.issuer, claims.subject);
  if (!known) return { newcomer: { token, claims } };
  const user = await followClaims(db, known, claims, now());
  const membership = await findMembership(db, user.id, [user.enteredAccountId, user.accountId]);
  return { person: toPerson(user, { token, claims }), membership };
}

/**
 * Makes the user, with a workspace, of the first token of a subject, where anybody may sign up.
 * @throws ApiError `missing_scope` where they may not; `rate_limited` for one of too many of an address
 */
export async function signUpWithToken(
  { db, now, signUp, signUps }: Pick<GatewayDeps, 'db' | 'now' | 'signUp' | 'signUps'>,
  newcomer: Newcomer,
  from: Omit<From, 'client'>,
): Promise<OidcSession> {
  if (signUp !== 'open') {
    throw new ApiError(
      'missing_scope',
      'Nobody has signed in here with this subject of the issuer before. Ask an owner of a workspace for an invitation, and accept it with this token.',
    );
  }
  return await db.transaction(async tx => {
    const { user, isNew } = await insertNewcomer(tx, newcomer, { ownsWorkspace: true, now: now() });
    if (isNew) {
      // Once for several first requests at the same time.
      signUps.count(from.address);
      await auditFirstSignIn(tx, user, user.accountId, from, now());
    }
    const membership = await findMembership(tx, user.id, [user.enteredAccountId, user.accountId]);
    return { person: toPerson(user, newcomer), membership };
  });
}

/**
 * A new person is never linked to a user with a password: whoever holds a token of the issuer
 * need not own the address.
 * @returns `isNew`: false when another request inserted the person in the meantime
 */
export async function insertNewcomer(
  tx: Transaction,
  { claims }: Newcomer,
  { ownsWorkspace, now }: { ownsWorkspace: boolean; now: Date },
): Promise<{ user: OidcUserRow; isNew: boolean }> {
  const { issuer, subject, email, name } = claims;
  const isNew = await insertOidcUser(tx, {
    ...{ issuer, subject, email, name, ownsWorkspace, now },
    id: newId('user', now.getTime()),
    accountId: newId('acct', now.getTime()),
    linkedUserId: null,
  });
  const user = await findOidcUser(tx, issuer, subject);
  if (!user) throw new Error('an identity that was just inserted is gone');
  return { user, isNew };
}

/** The tokens that follow leave no rows: each of their requests would. */
export async function auditFirstSignIn(
  tx: Transaction,
  user: OidcUserRow,
  accountId: string,
  { address, requestId }: Omit<From, 'client'>,
  now: Date,
): Promise<void> {
  await insertAudit(tx, { actor: actorOf(user), address, requestId }, now, {
    accountId,
    action: 'auth.sign_in',
    subject: { kind: 'user', id: user.id },
    detail: { method: 'oidc' },
  });
}

export function toPerson(user: OidcUserRow, { token, claims }: Newcomer): SessionPerson {
  return {
    // The same token always gives the same session id. No part of the token is stored.
    id: `session_${sha256(token).toString('base64url').slice(0, 24)}`,
    userId: user.id,
    actor: actorOf(user),
    expiresAt: claims.expiresAt,
    createdAt: claims.signedInAt ?? user.createdAt,
    isOidc: true,
    isVerified: true,
  };
}

/** Keeps the verified address and the name that the issuer sent last, unless the person has their own. */
export async function followClaims(
  sql: Sql,
  known: OidcUserRow,
  given: Pick<OidcClaims, 'email' | 'name'>,
  now: Date,
): Promise<OidcUserRow> {
  const name = given.name ?? known.name;
  const email = given.email ?? known.email;
  const provenEmail = given.email ?? known.provenEmail;
  const isSame = email === known.email && provenEmail === known.provenEmail && name === known.name;
  if (known.isLinked || isSame) return known;
  await updateOidcUser(sql, { id: known.id, email, provenEmail, name, now });
  return { ...known, email, provenEmail, name, updatedAt: now };
}
