import { createHash } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import type { Database, Sql } from '@hookline/shared/postgres';
import type { OidcClaims, OidcIssuer } from '../adapters/oidc-issuer.ts';
import { findMembership, type Membership } from '../queries/members.ts';
import { findOidcUser, insertOidcUser, updateOidcUser } from '../queries/oidc-users.ts';
import type { SessionPerson } from '../records/session.ts';
import type { OidcUserRow } from '../records/user.ts';

/**
 * Opens a session from a JWT of the OIDC issuer. The first token of a subject creates its user and account.
 * Returns null when the token is invalid. `membership` is null for a person without a workspace.
 * @throws ApiError `service_unavailable`
 */
export async function openOidcSession(
  { db, now }: { db: Database; now: () => Date },
  oidc: OidcIssuer,
  token: string,
): Promise<{ person: SessionPerson; membership: Membership | null } | null> {
  const claims = await oidc.verify(token);
  if (!claims) return null;
  const user = await ensureUser(db, claims, now());
  const membership = await findMembership(db, user.id, [user.enteredAccountId, user.accountId]);
  const person: SessionPerson = {
    // The same token always gives the same session id. No part of the token is stored.
    id: `session_${createHash('sha256').update(token).digest('base64url').slice(0, 24)}`,
    userId: user.id,
    actor: { kind: 'person', id: user.id, name: user.name ?? user.email ?? user.id },
    expiresAt: claims.expiresAt,
    createdAt: claims.signedInAt ?? user.createdAt,
    isOidc: true,
    isVerified: true,
  };
  return { person, membership };
}

/** A new person is never linked to a user with a password: a token does not say that its address is verified. */
async function ensureUser(db: Database, claims: OidcClaims, now: Date): Promise<OidcUserRow> {
  const known = await findOidcUser(db, claims.issuer, claims.subject);
  if (known) return await followClaims(db, known, claims, now);
  await insertOidcUser(db, {
    ...claims,
    id: newId('user', now.getTime()),
    accountId: newId('acct', now.getTime()),
    ownsWorkspace: true,
    linkedUserId: null,
    now,
  });
  const made = await findOidcUser(db, claims.issuer, claims.subject);
  if (!made) throw new Error('an identity that was just inserted is gone');
  return made;
}

/** Keeps the address and the name that the issuer sent last, unless the person has their own. */
export async function followClaims(
  sql: Sql,
  known: OidcUserRow,
  given: Pick<OidcClaims, 'email' | 'name'>,
  now: Date,
): Promise<OidcUserRow> {
  const [email, name] = [given.email ?? known.email, given.name ?? known.name];
  if (known.isLinked || (email === known.email && name === known.name)) return known;
  await updateOidcUser(sql, { id: known.id, email, name, now });
  return { ...known, email, name, updatedAt: now };
}
