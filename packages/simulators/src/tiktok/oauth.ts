import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropConnection, meetFault } from '../faults/answers.ts';
import type { World } from '../world.ts';
import { sendJson } from './envelope.ts';
import { isSame, newLogId, newToken, sha256Hex } from './ids.ts';
import { failSharesOf } from './shares.ts';
import { getClient } from './state.ts';
import { emitAuthorizationRemoved } from './webhooks.ts';

type OauthError = { error: string; error_description: string };
type Tokens = Record<string, string | number>;
type Form = Record<string, string>;

/** Token and revoke endpoints: flat errors, form bodies, rotation on every refresh. */
export function oauthRoutes(app: FastifyInstance, world: World): void {
  app.post('/v2/oauth/token/', (request, reply) => answer(world, request, reply, 'oauth_token', token));
  app.post('/v2/oauth/revoke/', (request, reply) => answer(world, request, reply, 'oauth_revoke', revoke));
}

async function answer(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  work: (world: World, form: Form) => Tokens | OauthError,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const met = await meetFault(world, reply, 'tiktok', operation);
  if (met.isAnswered) return reply;
  if (met.fault !== null && met.fault.kind !== 'accepted_answer_dropped') {
    return sendError(world, reply, problem(met.fault.kind, 'Refused by a fault that was set.'));
  }
  const form = formOf(request);
  const result = form === null ? notAForm() : (clientProblem(world, form) ?? work(world, form));
  if (isProblem(result)) return sendError(world, reply, result);
  if (met.fault !== null) dropConnection(reply);
  else sendJson(reply, 200, result);
  return reply;
}

function token(world: World, form: Form): Tokens | OauthError {
  switch (form.grant_type) {
    case 'authorization_code':
      return exchangeCode(world, form);
    case 'refresh_token':
      return refresh(world, form);
    case undefined:
    case '':
      return problem('invalid_request', 'grant_type is missing.');
    default:
      return problem('unsupported_grant_type', 'grant_type is not supported.');
  }
}

function exchangeCode(world: World, form: Form): Tokens | OauthError {
  if (!form.code) return problem('invalid_request', 'code is missing.');
  const key = sha256Hex(form.code);
  const code = world.tiktok.codes.get(key);
  if (code === undefined || code.expiresAt <= world.now()) {
    return problem('invalid_grant', 'Authorization code is invalid or expired.');
  }
  if (form.redirect_uri !== code.redirectUri) {
    return problem('invalid_request', 'redirect_uri does not match the one of the authorize request.');
  }
  if (code.challenge !== null && !isVerifier(form.code_verifier ?? '', code.challenge)) {
    return problem('invalid_request', 'code_verifier is missing or does not match the code_challenge.');
  }
  world.tiktok.codes.remove(key);
  return issue(world, code.username, code.scopes);
}

function isVerifier(verifier: string, challenge: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) && isSame(sha256Hex(verifier), challenge);
}

// The old refresh token is invalid at once (documents of November 2026), so a lost answer leaves the client
// with a dead token.
function refresh(world: World, form: Form): Tokens | OauthError {
  if (!form.refresh_token) return problem('invalid_request', 'refresh_token is missing.');
  const key = sha256Hex(form.refresh_token);
  const known = world.tiktok.refreshTokens.get(key);
  if (known === undefined || known.expiresAt <= world.now()) {
    return problem('invalid_grant', 'Refresh token is invalid or expired.');
  }
  world.tiktok.refreshTokens.remove(key);
  return issue(world, known.username, known.scopes);
}

function issue(world: World, username: string, scopes: string[]): Tokens {
  const { tiktok, now } = world;
  const { accessTokenSeconds, refreshTokenSeconds } = getClient(tiktok);
  const accessToken = newToken('act');
  const refreshToken = newToken('rft');
  const grant = { username, scopes };
  tiktok.accessTokens.put(sha256Hex(accessToken), { ...grant, expiresAt: now() + accessTokenSeconds * 1000 });
  tiktok.refreshTokens.put(sha256Hex(refreshToken), {
    ...grant,
    expiresAt: now() + refreshTokenSeconds * 1000,
  });
  return {
    access_token: accessToken,
    expires_in: accessTokenSeconds,
    open_id: tiktok.creators.get(username)?.openId ?? '',
    refresh_expires_in: refreshTokenSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(','),
    token_type: 'Bearer',
  };
}

function revoke(world: World, form: Form): Tokens | OauthError {
  if (!form.token) return problem('invalid_request', 'token is missing.');
  const known = world.tiktok.accessTokens.get(sha256Hex(form.token));
  if (known === undefined || known.expiresAt <= world.now()) {
    return problem('invalid_grant', 'Access token is invalid or expired.');
  }
  removeAuthorization(world, known.username, 5);
  return {};
}

/**
 * Ends the creator's consent: invalidates every token and unused code, fails downloads with `auth_removed`
 * and sends `authorization.removed`. Reasons as TikTok numbers them: 1 user disconnected, 2 deleted, 3 age,
 * 4 banned, 5 developer revoked.
 */
export function removeAuthorization(world: World, username: string, reason: number): void {
  const { accessTokens, refreshTokens, codes } = world.tiktok;
  for (const table of [accessTokens, refreshTokens, codes]) {
    for (const [key, row] of table.entries()) if (row.username === username) table.remove(key);
  }
  failSharesOf(world, username, 'auth_removed');
  emitAuthorizationRemoved(world, username, reason);
}

function clientProblem(world: World, form: Form): OauthError | null {
  const { clientKey, clientSecret } = world.settings;
  if (!form.client_key || !form.client_secret) {
    return problem('invalid_request', 'client_key and client_secret are required.');
  }
  const isKnown = isSame(form.client_key, clientKey) && isSame(form.client_secret, clientSecret);
  return isKnown ? null : problem('invalid_client', 'Client key or secret is incorrect.');
}

function formOf(request: FastifyRequest): Form | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  return isForm && typeof request.body === 'string'
    ? Object.fromEntries(new URLSearchParams(request.body))
    : null;
}

function notAForm(): OauthError {
  return problem('invalid_request', 'Only application/x-www-form-urlencoded is supported as Content-Type.');
}

function problem(error: string, description: string): OauthError {
  return { error, error_description: description };
}

function isProblem(result: Tokens | OauthError): result is OauthError {
  return 'error' in result;
}

// TikTok documents no status for these, and 200 was seen live: the client row selects which one is used.
function sendError(world: World, reply: FastifyReply, error: OauthError): FastifyReply {
  const { oauthErrorStatus } = getClient(world.tiktok);
  const isServer = error.error === 'server_error' || error.error === 'temporarily_unavailable';
  const status = isServer && oauthErrorStatus === 400 ? 503 : oauthErrorStatus;
  sendJson(reply, status, { ...error, log_id: newLogId(world.now()) });
  return reply;
}
