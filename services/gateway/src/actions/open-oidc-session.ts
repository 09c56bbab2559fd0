import { createHash } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
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
    createdAt: claims.issuedAt ?? user.createdAt,
    isOidc: true,
    isVerified: true,
  };
  return { person, membership };
}

/** Never merges with a password user of the same address: nothing proves that both are the same person. */
async function ensureUser(db: Database, claims: OidcClaims, now: Date): Promise<OidcUserRow> {
  const { issuer, subject, email, name } = claims;
  const known = await findOidcUser(db, issuer, subject);
  if (!known) {
    const id = newId('user', now.getTime());
    const accountId = newId('acct', now.getTime());
    return await insertOidcUser(db, { id, accountId, issuer, subject, email, name, now });
  }
  const isCurrent = (email === null || email === known.email) && (name === null || name === known.name);
  if (isCurrent) return known;
  return await updateOidcUser(db, {
    id: known.id,
    email: email ?? known.email,
    name: name ?? known.name,
    now,
  });
}
