/** Sign-in at the OIDC issuer, for browsers: to the issuer and back. */
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { jsonHeaders } from '@hookline/shared/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackPath, firstPage, isConsolePage, startPath } from '../../identity/oidc/journey.rules.ts';
import { beginOidcSignIn, signInWithOidc } from '../../identity/oidc/sign-in.ts';
import { writeSessionCookie } from '../../identity/sessions/cookie.ts';
import { fromOf } from '../../identity/sessions/session-of.ts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { consoleRoot } from '../../public-api.ts';
import { notSignedInPage } from './enter-page.ts';

export function addOidcRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const { oidc, publicUrl } = deps;

  app.get(`${consoleRoot}/sign-in-options`, async (_request, reply) => {
    const issuer = oidc.signIn && { name: oidc.signIn.name, url: startPath };
    reply.headers({ ...jsonHeaders, 'cache-control': 'no-store' });
    const options = { signUp: deps.signUps.openTo, oidc: issuer, ...deps.imprint };
    return reply.send(JSON.stringify({ data: options }));
  });

  app.get(startPath, async (request, reply) => {
    refuseWithout(oidc.signIn);
    const wanted = readStart(request);
    return await orPage(reply, async () => {
      oidc.requests.count(deps.clientAddress(request));
      if (wanted.invitation !== null) refuseForeignLink(request);
      const { url, attempt } = await beginOidcSignIn(deps, wanted);
      const cookie = oidc.cookies.write(attempt);
      return reply.headers({ 'set-cookie': cookie, 'cache-control': 'no-store' }).redirect(url, 303);
    });
  });

  app.get(callbackPath, async (request, reply) => {
    refuseWithout(oidc.signIn);
    // A program that looks at links uses up no code.
    if (request.method === 'HEAD') return reply.send();
    return await orPage(reply, async () => {
      oidc.requests.count(deps.clientAddress(request));
      const attempt = oidc.cookies.read(request.headers.cookie);
      if (!attempt) {
        throw invalidRequest(
          'This sign-in took longer than 10 minutes, or began in another browser: begin again.',
        );
      }
      // Whatever becomes of it, the browser has no use for it any more.
      reply.header('set-cookie', oidc.cookies.write(null));
      const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? [];
      const { session } = await signInWithOidc(deps, { query, attempt }, fromOf(deps, request));
      const { token, expiresAt } = session;
      const cookie = writeSessionCookie({ token, expiresAt: expiresAt.toISOString() }, publicUrl);
      return reply
        .headers({ 'set-cookie': cookie, 'cache-control': 'no-store' })
        .redirect(attempt.returnTo, 303);
    });
  });
}

function refuseWithout(signIn: IdentityDeps['oidc']['signIn']): void {
  if (!signIn) throw new ApiError('not_found', 'No such path.');
}

function readStart({ query }: FastifyRequest): { returnTo: string; invitation: string | null } {
  const { returnTo = firstPage, invitation = null } = query as { returnTo?: unknown; invitation?: unknown };
  if (typeof returnTo !== 'string' || !isConsolePage(returnTo)) {
    throw invalidRequest('returnTo must be a path of the console, such as /console/approve');
  }
  if (invitation !== null && (typeof invitation !== 'string' || !/^link_[\w-]{43}$/.test(invitation))) {
    throw invalidRequest('invitation must be the token of an invitation: link_ and 43 characters');
  }
  return { returnTo, invitation };
}

/**
 * An invitation is accepted by a click on the console's page, which says what it is for: whoever is
 * signed in at the issuer comes back without another, and a link elsewhere would put them into the
 * workspace of its author.
 */
function refuseForeignLink({ headers }: FastifyRequest): void {
  if ((headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin') return;
  throw new ApiError(
    'missing_scope',
    'You were not signed in: open the link of the invitation, and sign in from the page that it leads to.',
  );
}

async function orPage(reply: FastifyReply, answer: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
    const { headers, html } = notSignedInPage(error.message);
    return reply.code(error.status).headers(headers).send(html);
  }
}
