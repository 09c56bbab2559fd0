import { randomBytes } from 'node:crypto';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { sameBytes } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { By, From } from '../audit/record.ts';
import { usedClientMs } from '../clients/metadata.rules.ts';
import { OAuthError } from '../clients/oauth-error.rules.ts';
import { keepClient } from '../clients/queries.ts';
import { storeKey } from '../keys/mint.ts';
import { lockCountOfLiveKeys } from '../keys/queries.ts';
import type { ApiKeyRow } from '../keys/record.ts';
import { revokeKey } from '../keys/revoke.ts';
import { lockRole } from '../standing/queries.ts';
import { effectiveScopes } from '../standing/roles.rules.ts';
import { frozenText } from '../standing/workspace.rules.ts';
import { findWorkspace } from '../workspaces/queries.ts';
import {
  findGrantOfToken,
  type GrantTokens,
  insertGrant,
  lockCode,
  lockGrantOfFamily,
  setKeyOfCode,
  setTokens,
} from './queries.ts';
import type { OAuthCodeRow, OAuthGrantRow } from './record.ts';
import {
  accessLifetimeMs,
  grantLifetimeMs,
  makeAccessToken,
  makeRefreshToken,
  partsOfRefreshToken,
  provesChallenge,
  type RefreshParts,
  randomOfNext,
  repeatMs,
} from './tokens.rules.ts';

/** Tokens of a grant. Their plain text is returned here only. */
export type IssuedTokens = Tokens & {
  lifetimeMs: number;
  scopes: Scope[];
};

type Tokens = { accessToken: string; refreshToken: string };

type Misused = {
  misused: { accountId: string; id: string; name: string };
  what: 'code' | 'refresh_token';
};

/**
 * Exchanges a code for the tokens of a new grant: a key that the person can see and revoke, and whose text
 * nobody has. A second use of the code ends that key.
 */
export async function exchangeCode(
  deps: IdentityDeps,
  from: From,
  given: { code: string; clientId: string; redirectUri: string | undefined; verifier: string },
): Promise<IssuedTokens> {
  const issued = await deps.db.transaction(async (tx): Promise<IssuedTokens | Misused> => {
    const code = await lockCode(tx, sha256(given.code));
    if (!code || code.clientId !== given.clientId) throw refused('code is unknown');
    if (code.keyId !== null)
      return { misused: { accountId: code.accountId, id: code.keyId, name: code.name }, what: 'code' };
    if (code.expiresAt <= deps.now()) throw refused('code is older than 60 s');
    // OAuth 2.1 dropped it (section 10.2); what is sent must be right.
    if (given.redirectUri !== undefined && code.redirectUri !== given.redirectUri)
      throw refused('redirect_uri must be that of the authorization');
    if (!provesChallenge(given.verifier, code.challenge)) {
      throw refused('code_verifier does not match the code_challenge');
    }
    return await openGrant(deps, { tx, ...from }, code);
  });
  return await endIfMisused(deps, from, issued);
}

/**
 * Replaces the tokens of a grant. Sent again within 60 s, a refresh gets the same tokens: its answer may have
 * been lost, or a client refreshed twice at once. Any other refresh token that was replaced has been copied:
 * the grant ends.
 */
export async function refreshTokens(
  deps: IdentityDeps,
  from: From,
  given: { refreshToken: string; clientId: string },
): Promise<IssuedTokens> {
  const parts = partsOfRefreshToken(given.refreshToken);
  if (!parts) throw refused('refresh_token is unknown');
  const now = deps.now();
  const issued = await deps.db.transaction(async (tx): Promise<IssuedTokens | Misused> => {
    const grant = await lockGrantOfFamily(tx, sha256(parts.family));
    if (!grant || grant.clientId !== given.clientId) throw refused('refresh_token is unknown');
    const { keyId, accountId, role, revokedAt, expiresAt } = grant;
    const repeated = tokensOfRepeat(grant, parts, now);
    if (!repeated && !sameBytes(sha256(parts.current), grant.refreshHash)) {
      return { misused: { accountId, id: keyId, name: grant.keyName }, what: 'refresh_token' };
    }
    if (revokedAt || role === null || (expiresAt && expiresAt <= now))
      throw refused('refresh_token has ended');
    const scopes = effectiveScopes(grant.scopes, role);
    if (repeated) {
      return { ...repeated, lifetimeMs: grant.accessExpiresAt.getTime() - now.getTime(), scopes };
    }
    const salt = randomBytes(32);
    const tokens = nextTokens(parts, salt);
    const renewed = { expiresAt: new Date(now.getTime() + grantLifetimeMs), now };
    await setTokens(tx, { keyId, ...storedOf(tokens, now), salt, ...renewed });
    await keepClient(tx, grant.clientId, new Date(now.getTime() + usedClientMs));
    return { ...tokens, lifetimeMs: accessLifetimeMs, scopes };
  });
  return await endIfMisused(deps, from, issued);
}

/** Ends the grant of a token (RFC 7009). Does nothing for an unknown token. */
export async function endGrant(
  deps: IdentityDeps,
  from: From,
  given: { token: string; clientId: string },
): Promise<void> {
  const family = partsOfRefreshToken(given.token)?.family;
  const grant = await findGrantOfToken(deps.db, sha256(family ?? given.token));
  if (!grant || grant.clientId !== given.clientId) return;
  await endKey(deps, from, { accountId: grant.accountId, id: grant.keyId, name: grant.keyName });
}

async function openGrant(
  deps: IdentityDeps,
  { tx, address, requestId }: From & { tx: Transaction },
  { codeHash, accountId, userId, name, clientId, ...code }: OAuthCodeRow,
): Promise<IssuedTokens> {
  const now = deps.now();
  const role = await lockRole(tx, accountId, userId);
  const scopes = role === null ? [] : effectiveScopes(code.scopes, role);
  if (scopes.length === 0) throw refused('code was granted by a person who cannot grant it any more');
  const deletion = (await findWorkspace(tx, accountId))?.deletion;
  if (deletion) throw refused(`code cannot be exchanged: ${frozenText(Date.parse(deletion.deletesAt))}`);
  if ((await lockCountOfLiveKeys(tx, accountId, now)) >= deps.keysMax) {
    throw refused(`code cannot be exchanged: an account has at most ${deps.keysMax} live keys`);
  }
  const expiresAt = new Date(now.getTime() + grantLifetimeMs);
  const byOf = ({ createdBy }: ApiKeyRow): By => ({
    actor: { kind: 'person', id: userId, name: createdBy?.name ?? null },
    address,
    requestId,
  });
  const newKey = { accountId, name, scopes, createdBy: userId, expiresAt, now };
  // Nobody gets the text of the key.
  const { row } = await storeKey(tx, { ...newKey, client: clientId }, byOf);
  const family = randomBytes(32);
  const tokens = {
    accessToken: makeAccessToken(randomBytes(32)),
    refreshToken: makeRefreshToken(family, randomBytes(32)),
  };
  const familyHash = sha256(family.toString('base64url'));
  await insertGrant(tx, { keyId: row.id, clientId, familyHash, ...storedOf(tokens, now) });
  await setKeyOfCode(tx, codeHash, row.id);
  return { ...tokens, lifetimeMs: accessLifetimeMs, scopes };
}

function tokensOfRepeat(
  { replaced, refreshHash }: OAuthGrantRow,
  parts: RefreshParts,
  now: Date,
): Tokens | null {
  if (!replaced || now.getTime() - replaced.at.getTime() >= repeatMs) return null;
  if (!sameBytes(sha256(parts.current), replaced.hash)) return null;
  const tokens = nextTokens(parts, replaced.salt);
  // The salt must be the one of the last refresh.
  return sameBytes(storedOf(tokens, now).refreshHash, refreshHash) ? tokens : null;
}

function nextTokens({ family, current }: RefreshParts, salt: Buffer): Tokens {
  const { access, refresh } = randomOfNext(current, salt);
  return { accessToken: makeAccessToken(access), refreshToken: makeRefreshToken(family, refresh) };
}

function storedOf({ accessToken, refreshToken }: Tokens, now: Date): GrantTokens {
  const parts = partsOfRefreshToken(refreshToken);
  if (!parts) throw new Error('a refresh token that was just made has another form');
  return {
    refreshHash: sha256(parts.current),
    accessHash: sha256(accessToken),
    accessExpiresAt: new Date(now.getTime() + accessLifetimeMs),
  };
}

async function endIfMisused(
  deps: IdentityDeps,
  from: From,
  issued: IssuedTokens | Misused,
): Promise<IssuedTokens> {
  if (!('misused' in issued)) return issued;
  deps.log.warn({ keyId: issued.misused.id }, 'a grant ended: a code or refresh token was used twice');
  await endKey(deps, from, issued.misused);
  throw refused(`${issued.what} was used before; the grant has ended`);
}

async function endKey(
  deps: IdentityDeps,
  { address, requestId }: From,
  { accountId, id, name }: Misused['misused'],
): Promise<void> {
  const by = { actor: { kind: 'key', id, name }, address, requestId } as const;
  await revokeKey(deps, by, { accountId, id, createdByUser: null });
}

function refused(reason: string): OAuthError {
  return new OAuthError('invalid_grant', reason);
}
