/** Lists, and the steps between a deck and its approval. */
import type { App } from '@hookline/shared/contracts/apps';
import type { Content } from '@hookline/shared/contracts/content';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '500' } }));

type Caller = ReturnType<typeof testCaller>;
type Page<T> = { data: T[]; nextCursor: string | null };

async function get<T>(caller: Caller, path: string): Promise<T> {
  const answer = await under.service.call('GET', path, { caller });
  expect(answer.status).toBe(200);
  return answer.body as T;
}

/** Reads all pages of a list. */
async function readAll<T>(caller: Caller, path: string, limit: number): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<T> = await get(caller, `${path}limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}

describe('GET /v1/content', () => {
  it('GET /v1/content lists newest first, 100 without parameters, everything once through the cursor', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const first = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow' }));
    // Many rows with the same millisecond: the cursor must not lose or repeat any of them.
    await under.service.db.query(
      `insert into contents (id, account_id, app_id, type, status, result, created_at, updated_at)
       select 'content_' || lpad(n::text, 26, '0'), account_id, app_id, type, status, result,
         now() + (n / 20) * interval '1 millisecond', now()
       from contents, generate_series(1, 149) as n where id = $1`,
      [first.id],
    );
    const plain = await get<Page<Content>>(caller, '/v1/content');
    expect([plain.data.length, plain.nextCursor]).toEqual([100, null]);
    const all = await readAll<Content>(caller, '/v1/content?', 7);
    expect(all).toHaveLength(150);
    expect(new Set(all.map(content => content.id)).size).toBe(150);
    const order = all.map(content => `${content.createdAt} ${content.id}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(plain.data).toEqual(all.slice(0, 100));
  });

  it('GET /v1/content filters by status and app, and shows nothing of another account', async () => {
    const caller = testCaller();
    const [one, two] = [await under.importApp(caller), await under.importApp(caller)];
    const ready = dataOf<Content>(await under.create(caller, { appId: one, type: 'slideshow' }));
    const failed = dataOf<Content>(await under.create(caller, { appId: two, type: 'hook_video' }));
    const idsOf = async (path: string) => (await get<Page<Content>>(caller, path)).data.map(row => row.id);
    expect(await idsOf('/v1/content?status=ready')).toEqual([ready.id]);
    expect(await idsOf('/v1/content?status=failed')).toEqual([failed.id]);
    expect(await idsOf(`/v1/content?appId=${two}`)).toEqual([failed.id]);
    expect(await idsOf(`/v1/content?appId=${two}&status=ready`)).toEqual([]);
    expect((await get<Page<Content>>(testCaller(), '/v1/content')).data).toEqual([]);
    const strange = await under.service.call('GET', '/v1/content?status=done', { caller });
    expect([strange.status, codeOf(strange)]).toEqual([400, 'invalid_request']);
  });

  it('GET /v1/content filters by approval and origin, and counts pending contents', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const make = async (type = 'slideshow') =>
      dataOf<Content>(await under.create(caller, { appId, type })).id;
    const [waits, fired, approved, rejected] = [await make(), await make(), await make(), await make()];
    const failed = await make('hook_video');
    await under.service.call('POST', `/v1/content/${approved}/approve`, { caller });
    await under.service.call('POST', `/v1/content/${rejected}/reject`, { caller });
    await under.service.db.query(
      `update contents set origin_automation_id = 'automation_1', origin_firing_id = $1 where id = $1`,
      [fired],
    );
    const idsOf = async (query: string) =>
      (await get<Page<Content>>(caller, `/v1/content?${query}`)).data.map(row => row.id).toSorted();
    const sorted = (...ids: string[]) => ids.toSorted();
    expect(await idsOf('approvalStatus=pending')).toEqual(sorted(waits, fired));
    expect(await idsOf('approvalStatus=approved')).toEqual([approved]);
    expect(await idsOf(`approvalStatus=rejected&status=ready&appId=${appId}`)).toEqual([rejected]);
    expect(await idsOf('approvalStatus=pending&status=failed')).toEqual([]);
    expect(await idsOf('approvalStatus=pending&origin=automation')).toEqual([fired]);
    expect(await idsOf('origin=api')).toEqual(sorted(waits, approved, rejected, failed));
    expect(await get(caller, '/v1/content/counts')).toEqual({
      data: { pending: 2, changesRequested: 0, approved: 1, rejected: 1, failed: 1, toSchedule: 0 },
    });
    expect(await get(testCaller(), '/v1/content/counts')).toEqual({
      data: { pending: 0, changesRequested: 0, approved: 0, rejected: 0, failed: 0, toSchedule: 0 },
    });
    const strange = await under.service.call('GET', '/v1/content?origin=cli', { caller });
    expect([strange.status, messageOf(strange)]).toEqual([400, 'origin must be one of api, automation']);
  });
});

describe('GET /v1/apps and the ledger', () => {
  it('apps and ledger page through everything; the list of apps has no seed hooks', async () => {
    const caller = testCaller();
    for (let index = 0; index < 5; index += 1) await under.importApp(caller);
    const apps = await readAll<App>(caller, '/v1/apps?', 2);
    expect(apps).toHaveLength(5);
    for (const app of apps) expect(app).not.toHaveProperty('seedHooks');
    const one = await get<{ data: App }>(caller, `/v1/apps/${apps[0]?.id}`);
    expect(one.data.seedHooks?.length).toBeGreaterThan(0);
    for (let index = 0; index < 4; index += 1)
      await under.create(caller, { appId: apps[0]?.id, type: 'slideshow' });
    const rows = await readAll<{ amount: number }>(caller, '/v1/credits/ledger?', 2);
    expect(rows.map(row => row.amount)).toEqual([-1, -1, -1, -1, 500]);
  });

  it('the ledger of an account that never generated has its sign-up grant, once', async () => {
    const caller = testCaller();
    type Row = { id: string; amount: number; reason: string; requestId: string | null };
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => get<Page<Row>>(caller, '/v1/credits/ledger')),
    );
    const [first] = pages[0]?.data ?? [];
    expect(first).toMatchObject({ amount: 500, reason: 'grant', requestId: expect.stringMatching(/^req_/) });
    for (const page of pages) expect(page.data).toEqual([first]);
    const [written] = await under.service.db.query('select 1 from credit_accounts where account_id = $1', [
      caller.accountId,
    ]);
    expect(written).toBeUndefined();
    const credits = await get<{ data: { balance: number } }>(caller, '/v1/credits');
    expect(credits.data.balance).toBe(500);
    await under.create(caller, { appId: await under.importApp(caller), type: 'slideshow' });
    const after = await get<Page<Row>>(caller, '/v1/credits/ledger');
    expect(after.data.map(row => row.amount)).toEqual([-1, 500]);
    expect(after.data[1]).toEqual(first);
  });
});

describe('approval', () => {
  const decide = (caller: Caller, id: string, what: string, body?: unknown) =>
    under.service.call('POST', `/v1/content/${id}/${what}`, { caller, ...(body ? { body } : {}) });

  it('concurrent decisions leave one state, and one approval row and one event per change', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => decide(caller, deck.id, index % 2 ? 'reject' : 'approve')),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    const [state] = await under.service.db.query<{
      state: string;
      last: string;
      changes: number;
      repeats: number;
    }>(
      `with ordered as (
         select decision, lag(decision) over (order by ctid) as before from approvals where content_id = $1
       )
       select c.approval_status as state, c.decision as last,
         (select count(*) from ordered) as changes,
         (select count(*) from ordered where decision = before) as repeats
       from contents c where id = $1`,
      [deck.id],
    );
    expect(state?.state).toBe(state?.last);
    expect(state?.repeats).toBe(0);
    const [events] = await under.service.db.query<{ sequence: number }>(
      'select sequence from event_sequences where resource = $1',
      [`content:${deck.id}`],
    );
    expect(events?.sequence).toBe(state?.changes);
  });

  it('an edit and an approval of the version before it at the same moment never approve what nobody saw', async () => {
    const caller = testCaller();
    for (let round = 0; round < 5; round += 1) {
      const deck = await under.readyDeck(caller);
      const [, approved] = await Promise.all([
        under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body: { hook: `Words ${round}` } }),
        decide(caller, deck.id, 'approve', { version: 1 }),
      ]);
      const after = dataOf<Content>(await under.service.call('GET', `/v1/content/${deck.id}`, { caller }));
      expect(after).toMatchObject({ version: 2, approvalStatus: 'pending' });
      expect([200, 409]).toContain(approved.status);
    }
  });
});

describe('what is not generated', () => {
  it.each([
    ['content_none', undefined],
    ['content_none', { anything: [1, 2] }],
    ['%F0%9F%8E%9E', { appId: 7 }],
  ])('501 for remix of %s with %j', async (id, body) => {
    const answer = await under.service.call('POST', `/v1/content/${id}/remix`, {
      caller: testCaller(),
      ...(body ? { body } : {}),
    });
    expect([answer.status, codeOf(answer)]).toEqual([501, 'not_implemented']);
  });
});
