import { ApiError } from '@hookline/shared/contracts';
import { type Scope, scopes } from '@hookline/shared/contracts/scopes';
import { jsonHeaders, toApiError } from '@hookline/shared/http';
import { checker } from '@hookline/shared/kernel';
import { CommitUnknownError } from '@hookline/shared/postgres';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IdentityDeps } from '../../identity-deps.ts';
import { consoleRoot } from '../../public-api.ts';
import { OAuthError } from '../clients/oauth-error.rules.ts';
import { placeOf } from '../clients/redirect-uri.rules.ts';
import { registerClient } from '../clients/register.ts';
import { fromOf, sessionOf } from '../sessions/session-of.ts';
import { toWorkspaceId } from '../standing/workspace.rules.ts';
import { findWorkspace } from '../workspaces/queries.ts';
import { authorizationFields, backToClient, isResource } from './authorization.rules.ts';
import { authorizeClient, considerAuthorization } from './authorize.ts';
import { resourceDocument, resourceOf, serverDocument, wellKnown } from './discovery.rules.ts';
import { endGrant, exchangeCode, type IssuedTokens, refreshTokens } from './issue-tokens.ts';
import { optionalScopes } from './scopes.rules.ts';

const bodyBytesMax = 16 * 1_024;
const authorizations = `${consoleRoot}/auth/authorizations`;

const text = z.string({ error: 'must be a text' }).max(4_000, { error: 'must have at most 4000 characters' });
const requestShape = Object.fromEntries(authorizationFields.map(name => [name, text.optional()]));
const checkQuery = checker(z.object(requestShape), 'query');
const checkDecision = checker(
  z.strictObject({
    request: z.object(requestShape, { error: 'must be the parameters of the authorization request' }),
    workspaceId: text,
    decision: z.enum(['allow', 'deny'], { error: 'must be "allow" or "deny"' }),
    scopes: z
      .array(z.enum(scopes, { error: 'must be a scope' }), { error: 'must be a list' })
      .max(scopes.length)
      .optional(),
  }),
  'body',
);

export function addOAuthRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addDiscovery(app, deps);
  addConsentRoutes(app, deps);
  app.register(async scope => addClientRoutes(scope, deps));
}

function addDiscovery(app: FastifyInstance, { publicUrl }: Pick<IdentityDeps, 'publicUrl'>): void {
  const serve = (path: string, document: object) =>
    app.get(path, async (_request, reply) =>
      reply
        .headers({ ...jsonHeaders, 'cache-control': 'public, max-age=3600' })
        .send(JSON.stringify(document)),
    );
  serve(wellKnown.resource, resourceDocument(publicUrl));
  serve(wellKnown.resourceOfMcp, resourceDocument(publicUrl));
  serve(wellKnown.server, serverDocument(publicUrl));
}

function addConsentRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  app.get(authorizations, async (request, reply) => {
    const given = checkQuery(request.query);
    const session = sessionOf(request);
    const { client, offered, refusal } = await considerAuthorization(deps, session, given);
    const workspace = await findWorkspace(deps.db, session.accountId);
    const redirectUri = given.redirect_uri ?? '';
    return sendJson(reply, 200, {
      data: {
        // The host of a document is proven; a registered client can call itself anything.
        client: { name: client.name, host: client.isDocument ? new URL(client.id).host : null },
        returnsTo: placeOf(redirectUri),
        workspace: { id: toWorkspaceId(session.accountId), name: workspace?.name ?? '' },
        scopes: offered.filter(scope => !optionalScopes.includes(scope)),
        optionalScopes: offered.filter(scope => optionalScopes.includes(scope)),
        refusal: refusal && {
          reason: refusal.reason,
          redirectTo: backToClient(
            given,
            { error: refusal.error, error_description: refusal.reason },
            deps.publicUrl,
          ),
        },
      },
    });
  });

  app.post(authorizations, async (request, reply) => {
    const { request: given, workspaceId, decision, scopes: granted = [] } = checkDecision(request.body);
    const session = sessionOf(request);
    if (workspaceId !== toWorkspaceId(session.accountId)) {
      throw new ApiError(
        'invalid_request',
        'workspaceId must be the workspace of the session: it was changed since the page was opened',
        { status: 409 },
      );
    }
    const redirectTo = await authorizeClient(deps, session, {
      request: given,
      scopes: decision === 'allow' ? (granted as Scope[]) : null,
    });
    return sendJson(reply, 200, { data: { redirectTo } });
  });
}

function addClientRoutes(scope: FastifyInstance, deps: IdentityDeps): void {
  const { publicUrl, clients, clientAddress } = deps;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  );
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  scope.setErrorHandler((error, { url }, reply) => {
    const refusal = error instanceof OAuthError ? error : toOAuthError(toApiError(error), url);
    if (!refusal) throw error;
    const { code, status, message, retryAfterSeconds } = refusal;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return sendJson(reply, status, { error: code, error_description: message });
  });

  scope.post('/oauth/register', async (request, reply) => {
    clients.registrations.count(clientAddress(request));
    const { id, name, redirectUris, createdAt } = await registerClient(deps, readJson(request.body));
    return sendJson(reply, 201, {
      client_id: id,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });

  scope.post('/oauth/token', async (request, reply) => {
    const form = readForm(request);
    const clientId = form.need('client_id');
    const from = fromOf(deps, request);
    switch (form.need('grant_type')) {
      case 'authorization_code': {
        const given = {
          code: form.need('code'),
          clientId,
          redirectUri: form.get('redirect_uri'),
          verifier: form.need('code_verifier'),
        };
        requireResource(form.get('resource'), publicUrl);
        return sendJson(reply, 200, tokenAnswer(await exchangeCode(deps, from, given).catch(explainLost)));
      }
      case 'refresh_token': {
        const given = { refreshToken: form.need('refresh_token'), clientId };
        requireResource(form.get('resource'), publicUrl);
        return sendJson(reply, 200, tokenAnswer(await refreshTokens(deps, from, given)));
      }
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          'grant_type must be "authorization_code" or "refresh_token"',
        );
    }
  });

  scope.post('/oauth/revoke', async (request, reply) => {
    const form = readForm(request);
    const given = { token: form.need('token'), clientId: form.need('client_id') };
    await endGrant(deps, fromOf(deps, request), given);
    return sendJson(reply, 200, {});
  });
}

/** Null for a fault of ours, which OAuth has no form for. */
function toOAuthError({ status, message, retryAfterSeconds }: ApiError, url: string): OAuthError | null {
  if (status >= 500) return null;
  const malformed = url.startsWith('/oauth/register') ? 'invalid_client_metadata' : 'invalid_request';
  const code = status === 429 ? 'temporarily_unavailable' : malformed;
  const reason = status === 413 ? `The body must be at most ${bodyBytesMax} bytes.` : message;
  return new OAuthError(code, reason, status, retryAfterSeconds);
}

/**
 * A code that is sent again ends the grant (RFC 6749 section 4.1.2), so the error for a lost answer must not
 * suggest it.
 */
function explainLost(error: unknown): never {
  if (!(error instanceof CommitUnknownError)) throw error;
  const message =
    'The response was lost: the code may have been exchanged. Begin a new authorization; a code that is used twice ends the grant.';
  throw new ApiError('outcome_unknown', message, { cause: error });
}

function requireResource(given: string | undefined, publicUrl: string): void {
  const resource = resourceOf(publicUrl);
  if (!isResource(given, resource)) throw new OAuthError('invalid_target', `resource must be ${resource}`);
}

function tokenAnswer({ accessToken, refreshToken, lifetimeMs, scopes: granted }: IssuedTokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetimeMs / 1_000),
    refresh_token: refreshToken,
    scope: granted.join(' '),
  };
}

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the body must be valid JSON');
  }
}

/** A form of RFC 6749: no parameter twice, an empty one counts as none. */
function readForm({ headers, body }: FastifyRequest) {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) {
    throw new OAuthError('invalid_request', 'Content-Type must be application/x-www-form-urlencoded');
  }
  const form = new URLSearchParams(String(body ?? ''));
  const get = (name: string): string | undefined => {
    const values = form.getAll(name);
    if (values.length > 1) throw new OAuthError('invalid_request', `${name} must be sent once`);
    return values[0] || undefined;
  };
  return {
    get,
    need(name: string): string {
      const value = get(name);
      if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
      return value;
    },
  };
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers({ ...jsonHeaders, 'cache-control': 'no-store' })
    .send(JSON.stringify(body));
}
