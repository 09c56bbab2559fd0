import type { FastifyInstance } from 'fastify';
import { areMetricsOn, createDurationMetric } from '../metrics.ts';

/** Rate, errors and duration of every route: `http.server.request.duration`. Probes are not counted. */
export function installRequestMetrics(app: FastifyInstance, service: string): void {
  if (!areMetricsOn()) return;
  const record = createDurationMetric('http.server.request.duration');
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (route !== '/livez' && route !== '/readyz') {
      record(reply.elapsedTime, {
        'hookline.service': service,
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.raw.statusCode,
      });
    }
    done();
  });
}
