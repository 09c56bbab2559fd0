import { execFileSync } from 'node:child_process';
import { ApiError, type ErrorCode } from '@hookline/shared/contracts';
import { ownersOfData } from '@hookline/shared/contracts/internal';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

type Row = { id: string; images?: []; url?: string };
type Page = { data: Row[] | Row | null; nextCursor?: string | null } | { refusedWith: ErrorCode };

/**
 * Pages of the lists, by their path and cursor; what is asked for again answers its last page. Others are
 * empty.
 */
const lists = new Map<string, Page[]>();
const owners: TestOwner[] = [];
let gateway: TestGateway;
let aheadMs = 0;

function answerOf(url: string): Page {
  const { pathname, searchParams } = new URL(url, 'http://owner');
  const cursor = searchParams.get('after') ?? searchParams.get('cursor');
  const kind = searchParams.get('kind') && `kind=${searchParams.get('kind')}`;
  const pages = lists.get([pathname, kind, cursor].filter(Boolean).join(' ')) ?? [];
  return (pages.length > 1 ? pages.shift() : pages[0]) ?? { data: [], nextCursor: null };
}

beforeAll(async () => {
  for (const service of ownersOfData) {
    const owner = await startOwner(service, app => {
      app.addHook('preHandler', async (request, reply) => {
        const page = answerOf(request.url);
        if ('refusedWith' in page) throw new ApiError(page.refusedWith);
        return reply.send(page);
      });
    });
    owners.push(owner);
  }
  const urls = Object.fromEntries(ownersOfData.map((name, at) => [name, owners[at]!.url]));
  gateway = await startTestGateway(urls, { now: () => new Date(Date.now() + aheadMs) });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(owners.map(owner => owner.close()));
});
beforeEach(() => {
  lists.clear();
  lists.set('/v1/webhooks', [{ data: [{ id: 'w1' }, { id: 'w2' }, { id: 'w3' }], nextCursor: null }]);
  lists.set('/v1/webhooks/w3/deliveries', [{ data: [{ id: 'd3' }], nextCursor: null }]);
  lists.set('/v1/events', [{ data: [{ id: 'e1' }, { id: 'e2' }], nextCursor: 'two' }]);
});

/** The files of an archive with their lines. Rejects for one that was cut off. */
async function download(): Promise<Record<string, string[]>> {
  const { token } = await gateway.signUp();
  const asked = await gateway.call('POST', '/api/v1/workspace/exports', { token });
  const { pathname, search } = new URL(asked.body.data.url);
  const input = Buffer.from(await (await fetch(gateway.url + pathname + search)).arrayBuffer());
  const tar = (...args: string[]) => execFileSync('tar', [...args], { input, encoding: 'utf8' });
  const names = tar('-tzf', '-').trim().split('\n');
  return Object.fromEntries(names.map(name => [name, tar('-xzOf', '-', name).trim().split('\n')]));
}
const idsIn = (files: Record<string, string[]>, folder: string) =>
  Object.entries(files)
    .filter(([name]) => name.startsWith(`${folder}/`))
    .flatMap(([, lines]) => lines.map(line => JSON.parse(line).id));

describe('an export', () => {
  it('is whole beside four of other addresses that do not end', async () => {
    lists.set('/v1/events', [{ data: [{ id: 'e1' }], nextCursor: 'more' }]);
    lists.set('/v1/events more', [{ data: [{ id: 'e2' }], nextCursor: 'more' }]);
    const endless = ['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4'].map(async ip => {
      const { token } = await gateway.signUp();
      const asked = await gateway.call('POST', '/api/v1/workspace/exports', { token });
      const { pathname, search } = new URL(asked.body.data.url);
      const answer = await fetch(gateway.url + pathname + search, { headers: { 'x-forwarded-for': ip } });
      return {
        isWhole: answer.arrayBuffer().then(
          () => true,
          () => false,
        ),
      };
    });
    const running = await Promise.all(endless);
    lists.set('/v1/events', [{ data: [{ id: 'e1' }], nextCursor: 'end' }]);
    expect(idsIn(await download(), 'events')).toEqual(['e1']);
    lists.set('/v1/events more', [{ data: [], nextCursor: 'more' }]);
    expect(await Promise.all(running.map(({ isWhole }) => isWhole))).toEqual([true, true, true, true]);
  });

  it('is whole when records are deleted while it is written', async () => {
    lists.set('/v1/webhooks/w1/deliveries', [{ refusedWith: 'not_found' }]);
    lists.set('/v1/webhooks/w2/deliveries', [{ data: [{ id: 'd2' }], nextCursor: 'more' }]);
    lists.set('/v1/webhooks/w2/deliveries more', [{ refusedWith: 'not_found' }]);
    const files = await download();
    expect(idsIn(files, 'webhooks')).toEqual(['w1', 'w2', 'w3']);
    expect(idsIn(files, 'deliveries')).toEqual(['d2', 'd3']);
    expect(idsIn(files, 'events')).toEqual(['e1', 'e2']);
  });

  it('has what belongs to the decks and apps, also where one record answers for the list', async () => {
    const one = (id: string) => [{ data: [{ id }], nextCursor: null }];
    lists.set('/v1/apps', one('a1'));
    lists.set('/v1/apps/a1/pictures kind=slide', [
      { data: [{ id: 's1', url: 'http://x/media/images/s1' }], nextCursor: null },
    ]);
    lists.set('/v1/content', [
      {
        data: [
          { id: 'c1', images: [] },
          { id: 'c2', images: [] },
        ],
        nextCursor: null,
      },
    ]);
    lists.set('/v1/content/c1/comments', one('m1'));
    lists.set('/v1/content/c1/results', [{ data: { id: 'r1' } }]);
    lists.set('/v1/content/c2/results', [{ data: null }]);
    lists.set('/v1/workspace/text-model', [{ data: { id: 't1' } }]);
    lists.set('/v1/analytics/experiments', [{ data: [{ id: 'x1' }], nextCursor: 'more' }]);
    lists.set('/v1/analytics/experiments more', [{ data: [{ id: 'x2' }], nextCursor: null }]);
    lists.set('/v1/schedules', one('p1'));
    lists.set('/v1/schedules/p1', [{ data: { id: 'p1' } }]);
    const files = await download();
    const folders = ['slides', 'comments', 'results', 'text-model', 'experiments', 'timelines'];
    expect(folders.map(folder => idsIn(files, folder))).toEqual([
      ...[['s1'], ['m1'], ['r1'], ['t1']],
      ...[['x1', 'x2'], ['p1']],
    ]);
  });

  it('reads the event feed on from the oldest event that is left when the one it had reached was removed', async () => {
    const [first] = lists.get('/v1/events') as [Page];
    lists.set('/v1/events', [first, { data: [{ id: 'e7' }], nextCursor: 'seven' }]);
    lists.set('/v1/events two', [{ refusedWith: 'invalid_request' }]);
    lists.set('/v1/events seven', [{ data: [{ id: 'e8' }], nextCursor: 'eight' }]);
    lists.set('/v1/events eight', [{ data: [], nextCursor: 'eight' }]);
    const files = await download();
    expect(idsIn(files, 'events')).toEqual(['e1', 'e2', 'e7', 'e8']);
    expect(Object.keys(files)).toContain('events/000003.ndjson');
  });

  it.each<[string, string, ErrorCode]>([
    ['a list is not found', '/v1/schedules', 'not_found'],
    ['the list of a record is refused', '/v1/webhooks/w1/deliveries', 'invalid_request'],
    ['the list of a record cannot be read', '/v1/webhooks/w1/deliveries', 'service_unavailable'],
    ['a cursor of another list is refused', '/v1/webhooks/w3/deliveries more', 'invalid_request'],
    ['the feed is refused from its start', '/v1/events', 'invalid_request'],
    ['the feed cannot be read on', '/v1/events two', 'service_unavailable'],
  ])('is cut off when %s', async (_name, list, refusedWith) => {
    lists.set('/v1/webhooks/w3/deliveries', [{ data: [{ id: 'd3' }], nextCursor: 'more' }]);
    lists.set(list, [{ refusedWith }]);
    await expect(download()).rejects.toThrow('terminated');
  });
});

it('the audit log names a webhook that was made, an app that was changed, once for a repeat, and an archive that was taken away', async () => {
  const { token } = await gateway.signUp();
  const { key } = await gateway.mint(token, ['webhooks:write', 'apps:write', 'content:read']);
  const ask = (method: string, path: string, body: object, headers = {}) =>
    gateway.call(method, `/api/v1${path}`, { token: key, body, headers });
  await ask('POST', '/webhooks', { url: 'https://out.example/in?secret=1', events: ['content.approved'] });
  await ask('PATCH', '/apps/product_1', { brand: { handle: '@other' } });
  const refresh = (key: string) => ask('POST', '/apps/product_1/refresh', {}, { 'idempotency-key': key });
  const untilMidnight = dayMs - (Date.now() % dayMs);
  aheadMs = untilMidnight - 10_000;
  for (const key of ['one', 'one', 'two']) await refresh(key);
  aheadMs = untilMidnight + 10_000;
  await refresh('two');
  const asked = await gateway.call('POST', '/api/v1/workspace/exports', { token });
  const { pathname, search } = new URL(asked.body.data.url);
  await (await fetch(gateway.url + pathname + search)).arrayBuffer();
  await eventually(async () => {
    const { body } = await gateway.call('GET', '/api/v1/audit', { token });
    expect(JSON.stringify(body)).not.toContain('secret=1');
    const rows = body.data.map((row: { action: string; actor: { kind: string } }) => [
      row.action,
      row.actor.kind,
    ]);
    expect(rows.filter(([action]: string[]) => action === 'app.changed')).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['auth.sign_up', 'person'],
        ['webhook.created', 'key'],
        ['app.changed', 'key'],
        ['workspace.export_downloaded', 'anonymous'],
      ]),
    );
  });
});
