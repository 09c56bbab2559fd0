/** JWTs of the OIDC issuer as sessions: each subject is a user with an account of its own from its first token on. */
import { createHash } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import type { OidcClaims, OidcIssuer } from './oidc-issuer.ts';
import { findOidcUser, insertOidcUser, type OidcUserRow, updateOidcUser } from './queries/oidc-users.ts';
import type { SessionRow } from './queries/sessions.ts';

/** Node takes 16 KB of headers in all. */
const tokenLengthMax = 12_000;

export type OidcSessions = {
  /** Null when the token is no valid one of the issuer. @throws ApiError `service_unavailable` */
  find(token: string): Promise<SessionRow | null>;
};

export function createOidcSessions(oidc: OidcIssuer, db: Database, now: () => Date): OidcSessions {
  return {
    async find(token) {
      const claims = await oidc.verify(token);
      if (!claims) return null;
      const user = await ensureUser(db, claims, now());
      return {
        // The same token is the same session; nothing of it is stored.
        id: `session_${createHash('sha256').update(token).digest('base64url').slice(0, 24)}`,
        userId: user.id,
        accountId: user.accountId,
        expiresAt: claims.expiresAt,
        createdAt: claims.issuedAt ?? user.createdAt,
        isOidc: true,
      };
    },
  };
}

export function isJwt(text: string): boolean {
  return text.length <= tokenLengthMax && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/** Never joined with a password user of the same address: nobody has shown that both are one person. */
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
