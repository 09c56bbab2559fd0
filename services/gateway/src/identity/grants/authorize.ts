import { randomBytes } from 'node:crypto';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import { findOAuthClient } from '../clients/find.ts';
import { usedClientMs } from '../clients/metadata.rules.ts';
import { keepClient } from '../clients/queries.ts';
import type { OAuthClient } from '../clients/record.ts';
import { isRegisteredRedirect, placeOf } from '../clients/redirect-uri.rules.ts';
import { countLiveKeys } from '../keys/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { frozenText } from '../standing/workspace.rules.ts';
import {
  type AuthorizationRefusal,
  type AuthorizationRequest,
  backToClient,
  refusalOfAuthorization,
} from './authorization.rules.ts';
import { resourceOf } from './discovery.rules.ts';
import { insertCode } from './queries.ts';
import { offeredScopes } from './scopes.rules.ts';
import { codeLifetimeMs, codeMemoryMs, makeCode } from './tokens.rules.ts';

export type Considered = {
  client: OAuthClient;
  offered: Scope[];
  refusal: AuthorizationRefusal | null;
};

/**
 * What a person decides about. A refusal goes back to the client; nothing does before
 * client and address are known.
 */
export async function considerAuthorization(
  deps: IdentityDeps,
  { accountId, role, deletesAtMs }: Pick<SessionRow, 'accountId' | 'role' | 'deletesAtMs'>,
  given: AuthorizationRequest,
): Promise<Considered> {
  const client = await findOAuthClient(deps, given.client_id ?? '', accountId);
  if (!isRegisteredRedirect(client.redirectUris, given.redirect_uri ?? '')) {
    throw invalidRequest('redirect_uri must be one of the addresses that the client registered');
  }
  const refusal =
    refusalOfAuthorization(given, resourceOf(deps.publicUrl)) ??
    (deletesAtMs === null ? null : { error: 'access_denied' as const, reason: frozenText(deletesAtMs) });
  if (refusal) return { client, offered: [], refusal };
  const offered = offeredScopes(given.scope, role);
  if (offered.length > 0) return { client, offered, refusal: null };
  const reason = `scope must name a scope that the role ${role} has and that tools use`;
  return { client, offered, refusal: { error: 'invalid_scope', reason } };
}

/** Takes the decision of a person. @param scopes granted, of those offered; null: denied */
export async function authorizeClient(
  deps: IdentityDeps,
  session: SessionRow,
  { request: given, scopes }: { request: AuthorizationRequest; scopes: readonly Scope[] | null },
): Promise<string> {
  const { client, offered, refusal } = await considerAuthorization(deps, session, given);
  const back = (answer: Record<string, string>) => backToClient(given, answer, deps.publicUrl);
  if (refusal) return back({ error: refusal.error, error_description: refusal.reason });
  if (scopes === null) {
    return back({ error: 'access_denied', error_description: 'the person did not allow it' });
  }
  if (session.role === 'viewer') {
    throw new ApiError('missing_scope', 'Your role, viewer, cannot connect a client: it makes no keys.');
  }
  const foreign = scopes.find(scope => !offered.includes(scope));
  if (foreign !== undefined || scopes.length === 0) {
    throw invalidRequest('scopes must be one or more of the scopes that were offered');
  }
  const now = deps.now();
  if ((await countLiveKeys(deps.db, session.accountId, now)) >= deps.keysMax) {
    throw invalidRequest(
      `scopes cannot be granted: an account has at most ${deps.keysMax} live keys; revoke one`,
    );
  }
  const code = makeCode(randomBytes(32));
  await keepClient(deps.db, client.id, new Date(now.getTime() + usedClientMs));
  await insertCode(
    deps.db,
    {
      codeHash: sha256(code),
      clientId: client.id,
      redirectUri: given.redirect_uri ?? '',
      challenge: given.code_challenge ?? '',
      accountId: session.accountId,
      userId: session.userId,
      name: nameOf(client, given.redirect_uri ?? ''),
      scopes: [...scopes],
      expiresAt: new Date(now.getTime() + codeLifetimeMs),
    },
    { now, forgottenBefore: new Date(now.getTime() - codeMemoryMs) },
  );
  return back({ code });
}

/** The key is named for what the client calls itself, and for who vouches for it. */
function nameOf({ name, id, isDocument }: OAuthClient, redirectUri: string): string {
  return `${name} (${isDocument ? new URL(id).host : placeOf(redirectUri)})`;
}
