/** The event stream of a browser, before a stand-in for the automation service that keeps feeds in memory. */
import type { readFeeds } from '@hookline/shared/contracts/internal';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { startOwner, startTestGateway, type TestGateway } from './world.ts';

type Feeds = z.infer<typeof readFeeds.body>;
type FeedEvent = z.infer<typeof readFeeds.response>['feeds'][number]['events'][number];

let gateway: TestGateway;
let second: TestGateway;
const automation = perSuite(() =>
  startOwner('automation', app => {
    app.post('/internal/feeds', async (request, reply) => {
      if (isAway) return reply.code(500).send({});
      return {
        feeds: (request.body as Feeds).feeds.map(({ accountId, after }) => {
          const events = feeds.get(accountId) ?? [];
          return {
            head: events.length,
            isGap: after !== null && (after < removedUntil || after > events.length),
            events: after === null ? [] : events.slice(after),
          };
        }),
      };
    });
  }),
);
const content = perSuite(() => startOwner('content'));
const feeds = new Map<string, FeedEvent[]>();
/** Events up to this position were removed. */
let removedUntil = 0;
let isAway = false;

function append(accountId: string, type: string, resourceId: string): void {
  const events = feeds.get(accountId) ?? [];
  feeds.set(accountId, [...events, { position: events.length + 1, type, resourceId, automationId: null }]);
}

beforeAll(async () => {
  const urls = { automation: automation.url, content: content.url };
  gateway = await startTestGateway(urls, { patience: { streamsMs: 100 } });
  second = await startTestGateway(urls, { database: gateway.database, patience: { streamsMs: 100 } });
});
afterAll(async () => {
  await second?.stop();
  await gateway?.stop();
});

const own = { 'sec-fetch-site': 'same-origin' };

async function browser() {
  const { email, password, token } = await gateway.signUp();
  const signedIn = await gateway.call('POST', '/console/api/v1/auth/sign-in', {
    body: { email, password },
    headers: own,
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { workspaceId } = (await gateway.call('GET', '/api/v1/auth/session', { token })).body.data;
  const ask = (method: string, path: string, body?: unknown) =>
    gateway.call(method, `/console/api/v1${path}`, {
      headers: { cookie, ...own },
      ...(body === undefined ? {} : { body }),
    });
  return { cookie, token, accountId: workspaceId.replace('workspace_', 'acct_') as string, ask };
}

type Block = { event: string; id: string | null; data: { kind?: string; id?: string | null } };

/** Reads a stream as a browser does. */
async function openStream(cookie: string, { lastEventId = '', at = gateway } = {}) {
  const stop = new AbortController();
  const response = await fetch(`${at.url}/console/api/v1/stream`, {
    headers: { cookie, ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  });
  const stream = { response, text: '', isOpen: true, close: () => stop.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
  };
  read()
    .catch(() => {})
    .finally(() => {
      stream.isOpen = false;
    });
  const blocks = (): Block[] =>
    stream.text
      .split('\n\n')
      .filter(block => block.includes('data: '))
      .map(block => ({
        event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
        id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
        data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? ''),
      }));
  await eventually(() => expect(stream.text).toMatch(/^id: /m), 5_000);
  return Object.assign(stream, {
    blocks,
    lastId: () =>
      stream.text
        .match(/^id: (.*)$/gm)
        ?.at(-1)
        ?.slice(4) ?? '',
  });
}

describe('the stream of a workspace', () => {
  it('reports events of the feed and what requests changed, of its own workspace alone, on every gateway', async () => {
    const mine = await browser();
    const other = await browser();
    append(mine.accountId, 'content.approved', 'content_before');
    const streams = [await openStream(mine.cookie), await openStream(mine.cookie, { at: second })];
    const { headers, status } = streams[0]?.response ?? {};
    expect([status, headers?.get('content-type'), headers?.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    append(mine.accountId, 'job.completed', 'content_1');
    append(mine.accountId, 'schedule.published', 'schedule_1');
    append(other.accountId, 'content.approved', 'content_other');
    expect((await mine.ask('PATCH', '/content/content_2', { hook: 'x' })).status).toBe(200);
    expect((await mine.ask('PATCH', '/content/content_3?dryRun=true', {})).status).toBe(200);
    expect((await mine.ask('POST', '/keys', { name: 'k', scopes: ['apps:read'] })).status).toBe(201);
    expect((await other.ask('PATCH', '/content/content_9', {})).status).toBe(200);
    for (const stream of streams) {
      await eventually(() => {
        const seen = stream.blocks().map(({ event, data }) => `${event} ${data.kind} ${data.id}`);
        expect(seen.toSorted()).toEqual([
          'change content content_1',
          'change content content_2',
          'change credits null',
          'change key null',
          'change schedule schedule_1',
        ]);
      }, 8_000);
      for (const { id } of stream.blocks()) expect(id).toMatch(/^[\w-]+\.\d+$/);
      stream.close();
    }
  });

  it('resumes after its last event; after what is no longer kept it says reload', async () => {
    const { cookie, accountId, ask } = await browser();
    append(accountId, 'content.approved', 'content_1');
    const first = await openStream(cookie);
    const lastEventId = first.lastId();
    first.close();
    append(accountId, 'content.rejected', 'content_2');
    await ask('PATCH', '/content/content_3', {});
    await eventually(async () => {
      const again = await openStream(cookie, { lastEventId, at: second });
      again.close();
      expect(
        again
          .blocks()
          .map(({ data }) => data.id)
          .toSorted(),
      ).toEqual(['content_2', 'content_3']);
    }, 5_000);
    removedUntil = 2;
    try {
      for (const old of [lastEventId, 'ZmVlZCA5OTk', 'what is this']) {
        const late = await openStream(cookie, { lastEventId: old });
        expect(late.blocks().map(({ event }) => event)).toEqual(['reload']);
        append(accountId, 'schedule.failed', `schedule_${old.length}`);
        await eventually(() => expect(late.blocks().at(-1)?.data.kind).toBe('schedule'), 5_000);
        late.close();
      }
    } finally {
      removedUntil = 0;
    }
  });

  it('says reload to a stream that is far behind, without delaying the others of its workspace', async () => {
    const { cookie, accountId, ask } = await browser();
    append(accountId, 'content.approved', 'content_1');
    // At 100 for each poll, 20 s of polls.
    await gateway.admin.query(
      `insert into gateway.changes (account_id, kind, resource_id, changed_at)
       select $1, 'content', 'content_' || n, now() - interval '1 minute' from generate_series(1, 20000) as n`,
      [accountId],
    );
    const prompt = await openStream(cookie);
    const late = await openStream(cookie, { lastEventId: `${prompt.lastId().split('.')[0]}.0` });
    await ask('PATCH', '/content/content_new', {});
    await eventually(
      () => expect(prompt.blocks().map(({ data }) => data.id)).toEqual(['content_new']),
      5_000,
    );
    await eventually(
      () =>
        expect(late.blocks().map(({ event, data }) => data.id ?? event)).toEqual(['reload', 'content_new']),
      5_000,
    );
    prompt.close();
    late.close();
  });

  it('says reload once the automation service, away when it was opened, is back', async () => {
    const { cookie, accountId, ask } = await browser();
    isAway = true;
    const opening = openStream(cookie).catch(() => null);
    // No position is known yet.
    await new Promise(resolve => setTimeout(resolve, 500));
    await ask('PATCH', '/content/content_1', {});
    append(accountId, 'content.approved', 'content_2');
    isAway = false;
    const stream = await opening;
    await eventually(() => expect(stream?.blocks().map(({ event }) => event)).toContain('reload'), 5_000);
    stream?.close();
  });

  it('closes the oldest of five, and all at sign-out, on every gateway', async () => {
    const { cookie, ask } = await browser();
    const streams: Awaited<ReturnType<typeof openStream>>[] = [];
    for (let nth = 0; nth < 5; nth += 1) streams.push(await openStream(cookie));
    streams.push(await openStream(cookie, { at: second }));
    await eventually(() =>
      expect(streams.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true, true]),
    );
    // Its window comes back much later, so that five do not replace each other for ever.
    expect(streams[0]?.text.match(/retry: (\d+)/g)?.at(-1)).toBe('retry: 60000');
    expect((await ask('POST', '/auth/sign-out')).status).toBe(200);
    await eventually(() => expect(streams.some(({ isOpen }) => isOpen)).toBe(false), 5_000);
    expect((await ask('GET', '/stream')).status).toBe(401);
  });

  it('ends when the session enters another workspace', async () => {
    const host = await browser();
    const guest = await browser();
    const { email } = (await guest.ask('GET', '/auth/session')).body.data.user;
    const stream = await openStream(guest.cookie);
    const members = await openStream(host.cookie);
    const invited = await host.ask('POST', '/workspace/invitations', { email, role: 'viewer' });
    const token = new URL(invited.body.data.url).searchParams.get('token');
    expect((await guest.ask('POST', '/auth/invitations/accept', { token })).status).toBe(200);
    await eventually(() => expect(stream.isOpen).toBe(false), 5_000);
    await eventually(() => {
      const kinds = members.blocks().map(({ data }) => data.kind);
      expect(kinds).toEqual(['member', 'member']);
    }, 5_000);
    members.close();
  });

  it('is for a session in a cookie; HEAD has its headers and ends', async () => {
    const { token, cookie } = await browser();
    expect((await gateway.call('GET', '/console/api/v1/stream', { token })).status).toBe(401);
    expect((await gateway.call('GET', '/api/v1/stream', { token })).status).toBe(404);
    const head = await gateway.call('HEAD', '/console/api/v1/stream', { headers: { cookie } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('ends when the gateway is stopped, without delaying the stop', async () => {
    const third = await startTestGateway({ automation: automation.url }, { database: gateway.database });
    const { cookie } = await browser();
    const stream = await openStream(cookie, { at: third });
    const beganMs = performance.now();
    await third.stop();
    expect(performance.now() - beganMs).toBeLessThan(4_000);
    await eventually(() => expect(stream.isOpen).toBe(false));
  });
});
