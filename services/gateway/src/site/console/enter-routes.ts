/** The page behind the link that `npm start` prints, for a browser on the same machine. */
import { ApiError } from '@hookline/shared/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseCrossSite, writeSessionCookie } from '../../identity/sessions/cookie.ts';
import { fromOf } from '../../identity/sessions/session-of.ts';
import type { SiteDeps } from '../../site-deps.ts';
import { enterConsole } from './enter.ts';
import { enterPage, refusalPage } from './enter-page.ts';

const path = '/console/enter';
// The token has 32 characters.
const formBytesMax = 1_024;

export function addEnterRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const publicOrigin = new URL(deps.publicUrl).origin;

  const refusal = (request: FastifyRequest, reply: FastifyReply) => {
    if (!deps.consoleEntry) throw new ApiError('not_found', 'No such path.');
    if (isLocal(request)) return null;
    return sendPage(reply, 403, refusalPage('It works on the machine that runs Hookline only.'));
  };

  app.get(path, async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    return refusal(request, reply) ?? sendPage(reply, 200, enterPage(typeof token === 'string' ? token : ''));
  });

  app.register(async scope => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, { token: new URLSearchParams(String(body)).get('token') }),
    );
    scope.post(path, async (request, reply) => {
      const refused = refusal(request, reply);
      if (refused) return refused;
      refuseCrossSite(request, publicOrigin);
      const { token } = (request.body ?? {}) as { token?: unknown };
      const signedIn = await enterConsole(
        deps,
        typeof token === 'string' ? token : '',
        fromOf(deps, request),
      );
      if (!signedIn) {
        const reason = 'It was used before, or it is older than 10 minutes. npm start prints another one.';
        return sendPage(reply, 401, refusalPage(reason));
      }
      const { token: sessionToken, expiresAt } = signedIn.session;
      const session = { token: sessionToken, expiresAt: expiresAt.toISOString() };
      reply.headers({
        'set-cookie': writeSessionCookie(session, deps.publicUrl),
        'cache-control': 'no-store',
      });
      return reply.redirect('/console', 303);
    });
  });
}

function isLocal({ raw, headers }: FastifyRequest): boolean {
  const peer = raw.socket.remoteAddress ?? '';
  const isLoopback = peer === '::1' || /^(?:::ffff:)?127\./.test(peer);
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

function sendPage(reply: FastifyReply, status: number, { headers, html }: ReturnType<typeof enterPage>) {
  return reply.code(status).headers(headers).send(html);
}
