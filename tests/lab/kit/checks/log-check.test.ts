import { expect, it } from 'vitest';
import { checkLogs } from './log-check.ts';

const ids = { requestId: 'req_1', trace_id: 'a'.repeat(32) };
const line = (fields: object): string =>
  JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', service: 'gateway', ...fields });
const check = (gateway: string[], content: string[] = [line({ ...ids, service: 'content' })]) =>
  checkLogs({
    printed: [
      { service: 'gateway', text: gateway.join('\n') },
      { service: 'content', text: content.join('\n') },
    ],
    requests: [{ requestId: 'req_1', service: 'content' }],
    secrets: new Set(['hunter2hunter2']),
  });

it('finds nothing wrong with lines that are whole and name the request on both sides', () => {
  expect(check([line({ msg: 'started' }), line(ids), ''])).toEqual({
    lines: 3,
    linesWithRequest: 2,
    requestsFound: 1,
    secretsSearched: 1,
    complaints: [],
  });
});

it.each([
  ['a line that is not JSON', ['(node:1) Warning: something', line(ids)], 'is not JSON'],
  ['a torn line', [line(ids), line(ids).slice(0, -3)], 'is not JSON'],
  ['no level', [line({ ...ids, level: undefined })], 'has no level'],
  ['another service', [line({ ...ids, service: 'content' })], 'does not name its service'],
  ['no service', [line(ids), line({ service: undefined })], 'does not name its service'],
  ['no time', [line({ ...ids, time: undefined })], 'has no time'],
  ['a request without a trace', [line(ids), line({ requestId: 'req_2' })], 'has one of requestId'],
  ['a trace id that is none', [line({ ...ids, trace_id: 'xyz' })], 'has no valid trace_id'],
  ['a request that is not there', [line({ msg: 'started' })], 'req_1 is not in the log of gateway'],
  ['a secret, wherever', [line(ids), line({ url: 'x?key=hunter2hunter2' })], 'a secret of 14 characters'],
  ['a key that nobody named', [line({ ...ids, text: `svc_live_${'a'.repeat(49)}` })], 'something like'],
  ['a session', [line({ ...ids, text: `sess_${'a'.repeat(43)}` })], 'something like'],
])('tells %s', (_, lines, complaint) => {
  const { complaints } = check(lines);
  expect(complaints).toEqual([expect.stringContaining(complaint)]);
});

it('reports a request unknown to the service that answered it', () => {
  expect(check([line(ids)], []).complaints).toEqual(['req_1 is not in the log of content']);
});
