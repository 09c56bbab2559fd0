import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, sendPage } from '../pages/html.ts';
import type { World } from '../world.ts';
import { newCode, sha256Hex } from './ids.ts';
import { redirectKind } from './redirects.ts';
import { type Creator, getClient } from './state.ts';

// TikTok does not document the lifetime of a code; OAuth recommends at most ten minutes.
const codeLifeMs = 600_000;

type Query = Record<string, string | string[] | undefined>;
type Asked = { redirectUri: string; state: string; scopes: string[]; challenge: string | null; query: Query };
type Problem = { error: string; description: string };

/** The consent page; `&as=<username>` consents at once, `&granted=` narrows the scopes, `&deny=1` refuses. */
export function authorizeRoutes(app: FastifyInstance, world: World): void {
  app.get('/v2/auth/authorize/', (request, reply) => authorize(world, request, reply));
}

function authorize(world: World, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = request.query as Query;
  const redirectUri = one(query.redirect_uri);
  const kind = redirectKind(redirectUri, world.settings.redirectUris);
  // Never redirect to an unregistered address: these errors end on a page, as OAuth requires.
  if (one(query.client_key) !== world.settings.clientKey) {
    return errorPage(reply, 'client_key', 'No app has this client_key.');
  }
  if (kind === null)
    return errorPage(reply, 'redirect_uri', 'The redirect_uri is not registered for this app.');
  // One scope that the app was not given fails the whole page.
  const scopes = listOf(query.scope);
  const given = getClient(world.tiktok).scopes;
  const missing = scopes.find(scope => !given.includes(scope));
  if (missing !== undefined) return errorPage(reply, 'scope', `The app was not given ${missing}.`);

  const state = one(query.state);
  const problem = problemOf(query, scopes, kind) ?? faultProblem(world);
  if (problem !== null) return refuse(reply, redirectUri, state, problem);

  const asked: Asked = {
    redirectUri,
    state,
    scopes,
    challenge: kind === 'desktop' ? one(query.code_challenge) : null,
    query,
  };
  if (query.as === undefined) return consentPage(world, reply, asked);
  return grant(world, reply, asked);
}

function problemOf(query: Query, scopes: readonly string[], kind: 'desktop' | 'web'): Problem | null {
  if (one(query.response_type) !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code.' };
  }
  if (one(query.state) === '') return { error: 'invalid_request', description: 'state is required.' };
  if (scopes.length === 0) return { error: 'invalid_scope', description: 'scope is required.' };
  if (kind === 'desktop' && one(query.code_challenge_method) !== 'S256') {
    return { error: 'invalid_request', description: 'code_challenge_method must be S256.' };
  }
  // TikTok's challenge is hex, not base64url.
  if (kind === 'desktop' && !/^[0-9a-f]{64}$/.test(one(query.code_challenge))) {
    return { error: 'invalid_request', description: 'code_challenge must be hex SHA-256 of the verifier.' };
  }
  if (one(query.deny) !== '') return { error: 'access_denied', description: 'User denied access' };
  return null;
}

function faultProblem(world: World): Problem | null {
  const fault = world.faults.draw('tiktok', 'authorize');
  return fault === null ? null : { error: fault.kind, description: 'Refused by a fault that was set.' };
}

function grant(world: World, reply: FastifyReply, asked: Asked): FastifyReply {
  const creator = world.tiktok.creators.get(one(asked.query.as));
  if (creator === undefined) return errorPage(reply, 'as', 'There is no fake creator of this name.');
  const chosen = asked.query.granted === undefined ? asked.scopes : listOf(asked.query.granted);
  const scopes = asked.scopes.filter(scope => chosen.includes(scope));
  if (scopes.length === 0) {
    const problem = { error: 'access_denied', description: 'User granted no scope' };
    return refuse(reply, asked.redirectUri, asked.state, problem);
  }
  const code = newCode();
  world.tiktok.codes.put(sha256Hex(code), {
    username: creator.username,
    scopes,
    redirectUri: asked.redirectUri,
    challenge: asked.challenge,
    expiresAt: world.now() + codeLifeMs,
  });
  return sendBack(reply, asked.redirectUri, { code, scopes: scopes.join(','), state: asked.state });
}

function refuse(reply: FastifyReply, redirectUri: string, state: string, problem: Problem): FastifyReply {
  const { error, description } = problem;
  return sendBack(reply, redirectUri, { error, error_description: description, state });
}

function sendBack(reply: FastifyReply, redirectUri: string, answer: Record<string, string>): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`${redirectUri}?${new URLSearchParams(answer)}`, 302);
}

function errorPage(reply: FastifyReply, field: string, text: string): FastifyReply {
  const body = html`<main class="narrow"><h1>We cannot log you in</h1><p>${text}</p><p class="quiet">${field}</p></main>`;
  return sendPage(reply, 400, 'Log in', body);
}

function consentPage(world: World, reply: FastifyReply, asked: Asked): FastifyReply {
  const kept = Object.entries(asked.query).flatMap(([name, value]) =>
    [value ?? []].flat().map(one => html`<input type="hidden" name="${name}" value="${one}">`),
  );
  const body = html`<main class="narrow">
<h1>An app wants to use your TikTok account</h1>
<p class="quiet">This is the simulator: pick one of its creators.</p>
<form method="get" action="">
${kept}
<input type="hidden" name="granted" value="">
<fieldset><legend>It may</legend>
${asked.scopes.map(scope => html`<label><input type="checkbox" name="granted" value="${scope}" checked> ${scope}</label>`)}
</fieldset>
<div class="stack">${world.tiktok.creators.values().map(creatorButton)}</div>
<button class="plain" name="deny" value="1">Cancel</button>
</form>
</main>`;
  return sendPage(reply, 200, 'Log in', body);
}

function creatorButton(creator: Creator): Html {
  return html`<button name="as" value="${creator.username}">Continue as ${creator.displayName} <small>@${creator.username}</small></button>`;
}

function listOf(value: string | string[] | undefined): string[] {
  const parts = [value ?? []].flat().flatMap(part => part.split(','));
  return [...new Set(parts.map(part => part.trim()).filter(part => part !== ''))];
}

function one(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
