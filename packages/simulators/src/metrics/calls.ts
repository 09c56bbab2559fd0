import type { FastifyRequest } from 'fastify';
import type { Journal } from '../state/journal.ts';

/** One metrics call as it arrived: an independent record of a collector's requests. */
export type MetricCall = { platform: string; operation: string; ids: string[]; at: string };

export type MetricCalls = {
  add(call: MetricCall): void;
  list(platform: string | null): MetricCall[];
};

const rowsMax = 20_000;

export function createMetricCalls(journal: Journal): MetricCalls {
  const table = journal.table<MetricCall>('metricCalls');
  let next = table.entries().reduce((most, [key]) => Math.max(most, Number(key)), 0) + 1;
  return {
    add: call => {
      table.put(String(next), call);
      next += 1;
      if (table.size() > rowsMax) table.trim(rowsMax);
    },
    list: platform => table.values().filter(call => platform === null || call.platform === platform),
  };
}

/** The values of a comma-separated list in the query, also when the parameter is repeated. */
export function listOf(request: FastifyRequest, name: string): string[] {
  const value = (request.query as Record<string, unknown>)[name];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap(one => (typeof one === 'string' ? one.split(',') : [])).filter(one => one !== '');
}
