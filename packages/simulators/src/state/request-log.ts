import type { FastifyInstance, FastifyRequest } from 'fastify';

/** One request as it arrived; `status` is null until it is answered, and for one whose connection was cut. */
export type LoggedRequest = {
  at: string;
  method: string;
  /** Without the query, which may contain codes and keys. */
  path: string;
  status: number | null;
  durationMs: number | null;
};

export type RequestLog = {
  /** Newest last; `prefix` filters by path, `limit` keeps the newest ones. */
  list(query: { prefix?: string | undefined; limit?: string | undefined }): LoggedRequest[];
  clear(): void;
  watch(app: FastifyInstance, now: () => number): void;
};

const keptMax = 5_000;

/**
 * Requests to the simulators, without pages and `_control`. In memory: the newest 5,000, gone with the
 * process.
 */
export function createRequestLog(): RequestLog {
  let rows: LoggedRequest[] = [];
  const open = new WeakMap<FastifyRequest, { row: LoggedRequest; beganAt: number }>();

  return {
    list: ({ prefix = '', limit }) =>
      rows.filter(row => row.path.startsWith(prefix)).slice(-Math.max(1, Number(limit) || keptMax)),
    clear: () => {
      rows = [];
    },
    watch(app, now) {
      app.addHook('onRequest', async request => {
        const path = request.url.split('?', 1)[0] ?? '';
        if (!/^\/(tiktok\/v2|appstore|googleplay|youtube|instagram|llm)\//.test(path)) return;
        const at = new Date(now()).toISOString();
        const row = { at, method: request.method, path, status: null, durationMs: null };
        open.set(request, { row, beganAt: performance.now() });
        rows.push(row);
        if (rows.length > keptMax * 1.2) rows = rows.slice(-keptMax);
      });
      app.addHook('onResponse', async (request, reply) => {
        const known = open.get(request);
        // A cut connection ends here too, without an answer.
        if (!known || reply.raw.writableFinished === false) return;
        known.row.status = reply.statusCode;
        known.row.durationMs = Math.round(performance.now() - known.beganAt);
      });
    },
  };
}
