import { randomBytes } from 'node:crypto';
import { notFound } from '@hookline/shared/contracts';
import { findApp } from '@hookline/shared/contracts/internal';
import type { Caller } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { isLoopbackHttp } from './proof.rules.ts';
import { type ConnectState, insertConnectState } from './queries.ts';

const stateLifetimeMs = 10 * 60_000;

/** @throws ApiError `not_found` if the app is not the caller's. */
export async function requireApp(deps: SchedulingDeps, caller: Caller, appId: string | null): Promise<void> {
  if (appId === null) return;
  const { exists } = await deps.peers.call(findApp, { body: {}, params: { id: appId }, caller });
  if (!exists) throw notFound('app');
}

/** The desktop flow with PKCE is for http on localhost, the web flow for any other address (D-54). */
export async function beginConnect(
  deps: SchedulingDeps,
  tx: Transaction,
  { caller, appId, returnTo }: { caller: Caller } & Pick<ConnectState, 'appId' | 'returnTo'>,
): Promise<{ authorizeUrl: string; state: string; expiresAt: Date }> {
  const state = randomBytes(24).toString('base64url');
  const stateDigest = sha256(state);
  const redirectUri = `${deps.publicUrl}/api/v1/accounts/tiktok/callback`;
  const verifier = isLoopbackHttp(redirectUri) ? randomBytes(48).toString('base64url') : null;
  const expiresAt = new Date(deps.now().getTime() + stateLifetimeMs);
  await insertConnectState(tx, {
    stateDigest,
    accountId: caller.accountId,
    userId: caller.userId,
    carrier: 'tiktok',
    appId,
    verifierSealed: verifier && deps.secretBox.seal(verifier, stateDigest.toString('hex')),
    redirectUri,
    returnTo,
    expiresAt,
  });
  const authorizeUrl = deps.carriers.tiktok.authorizeUrl(redirectUri, state, verifier);
  return { authorizeUrl, state, expiresAt };
}
