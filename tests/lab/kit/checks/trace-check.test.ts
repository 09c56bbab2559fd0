import { expect, it } from 'vitest';
import type { SeenSpan } from '../servers/trace-collector.ts';
import { checkJourney } from './trace-check.ts';

const journey = { traceId: 't', clientSpanIds: new Set(['client']) };
const server: SeenSpan = {
  service: 'hookline-gateway',
  name: 'POST /api/v1/content',
  traceId: 't',
  spanId: 'a',
  parentSpanId: 'client',
  kind: 2,
  scope: 'hookline',
  attributes: ['http.route'],
  links: [],
};
const call: SeenSpan = {
  ...server,
  name: 'POST',
  spanId: 'b',
  parentSpanId: 'a',
  kind: 3,
  scope: '@opentelemetry/instrumentation-undici',
  attributes: ['http.request.method', 'url.full'],
};
const expected = ['hookline-gateway POST /api/v1/content'];

it('finds nothing wrong with a trace that hangs on the client and whose names are declared', () => {
  expect(checkJourney([server, call], journey, expected)).toEqual([]);
});

it.each([
  ['a span that is missing', [], '0 of 1: hookline-gateway POST /api/v1/content'],
  ['an orphan', [server, { ...call, parentSpanId: 'gone' }], 'orphan: hookline-gateway POST'],
  ['a second root', [server, { ...call, parentSpanId: '' }], 'has a root of its own'],
  ['a span that nothing declares', [{ ...server, kind: 5 }], 'no span is called POST /api/v1/content'],
  ['an attribute of ours', [{ ...server, attributes: ['http.path'] }], 'http.path, which is not declared'],
  ['one of an instrumentation', [server, { ...call, attributes: ['sql'] }], 'sql is no name of the semantic'],
])('tells %s', (_, spans, complaint) => {
  expect(checkJourney(spans, journey, expected)).toEqual([expect.stringContaining(complaint)]);
});
