import { matchedRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { isDryRun } from '../../identity/audit/audit-changes.ts';
import { sessionOf } from '../../identity/sessions/session-of.ts';
import { consoleRoot } from '../../public-api.ts';
import type { SiteDeps } from '../../site-deps.ts';
import { changedKind } from './change.rules.ts';
import { readPosition } from './position.ts';

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx would collect the events.
  'x-accel-buffering': 'no',
};

/** The changes of the session's workspace, as server-sent events. */
export function addStreamRoute(
  app: FastifyInstance,
  { streams, changes }: Pick<SiteDeps, 'streams' | 'changes'>,
): void {
  rememberChanges(app, { changes });
  app.get(`${consoleRoot}/stream`, async (request, reply) => {
    reply.headers(streamHeaders);
    if (request.method === 'HEAD') return reply.send('');
    const { id, accountId } = sessionOf(request);
    const given = request.headers['last-event-id'];
    const unknown = { feed: null, changes: null };
    const position = given === undefined || given === '' ? unknown : readPosition(String(given));
    const { raw } = reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    raw.statusCode = 200;
    raw.flushHeaders();
    // Whoever names a position that no stream sent does not know what changed since.
    if (!position) raw.write('event: reload\ndata: {}\n\n');
    await streams.open({ sessionId: id, accountId, position: position ?? unknown, response: raw });
  });
}

function rememberChanges(app: FastifyInstance, { changes }: Pick<SiteDeps, 'changes'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const contract = matchedRoute(request).config.route?.contract;
    const caller = request.call?.caller;
    if (contract && caller && reply.raw.statusCode < 300) {
      const kind = isDryRun(request) ? null : changedKind(contract);
      const resourceId = (request.params as { id?: string }).id ?? '';
      if (kind) changes.add({ accountId: caller.accountId, kind, resourceId });
    }
    done();
  });
}
