import { expect, it } from 'vitest';
import { findWidestTrace, readDashboards, readPanels } from './observe.ts';

const span = (service: string, traceId: string): string =>
  `     -> service.name: Str(${service})\n    Trace ID       : ${traceId}\n`;
const one = 'a'.repeat(32);
const other = 'b'.repeat(32);

it('finds the trace that crosses the most services', () => {
  const log = [span('gateway', one), span('gateway', other), span('content', other)].join('');
  expect(findWidestTrace(log)).toEqual({ traceId: other, services: ['content', 'gateway'] });
});

it('asks every panel with its variables filled in, and names what failed or had no data', async () => {
  const queries = readPanels().flatMap(panel => panel.expressions);
  expect(queries.filter(query => query.includes('$'))).toEqual([]);
  const failed = '{"status":"error","error":"parse error"}';
  const found = await readDashboards(async asked =>
    asked.map((_, at) => (at === 0 ? failed : '{"status":"success","data":{"result":[{}]}}')),
  );
  expect(found.failed).toEqual(['hookline-bus: Oldest unpublished event: parse error']);
  expect(found.empty).toEqual(['hookline-bus: Oldest unpublished event']);
});
