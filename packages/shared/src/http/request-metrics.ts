import type { FastifyInstance } from 'fastify';
import { areMetricsOn, createDurationMetric, sharedMetrics } from '../kernel/index.ts';
import { isHealth, matchedRoute } from './request-context.ts';

/**
 * Rate, errors and duration of every route: `http.server.request.duration`. Neither probes nor
 * event streams are counted.
 */
export function installRequestMetrics(app: FastifyInstance, service: string): void {
  if (!areMetricsOn()) return;
  const record = createDurationMetric(sharedMetrics.metrics.requestDuration);
  app.addHook('onResponse', (request, reply, done) => {
    const isStream = reply.raw.getHeader('content-type') === 'text/event-stream';
    if (!isHealth(request) && !isStream) {
      record(reply.elapsedTime, {
        'hookline.service': service,
        'http.request.method': request.method,
        'http.route': matchedRoute(request).url ?? 'unknown',
        'http.response.status_code': reply.raw.statusCode,
      });
    }
    done();
  });
}
