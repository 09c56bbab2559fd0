import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { freshId, type Json, measured, session, startAt, startWorld } from './world.ts';

const world = perSuite(() => startWorld({ timings: { pollMs: 100 } }));

const connect = (accessToken: unknown, caller = session(), more: object = {}) =>
  world.call(caller, 'POST', '/v1/analytics/sources', { platform: 'instagram', accessToken, ...more });
const list = async (caller = session(), query = ''): Promise<Json> =>
  (await world.call(caller, 'GET', `/v1/analytics/sources${query}`)).body;

describe('POST /v1/analytics/sources', () => {
  it('201 answers the record, without the token', async () => {
    const answer = await connect('simulator-token-maya.makes');
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^source_/),
      platform: 'instagram',
      username: 'maya.makes',
      status: 'connected',
      createdAt: startAt,
      updatedAt: startAt,
    });
    expect(answer.text).not.toContain('simulator-token');
  });

  it('201 keeps the id when the same account is connected again, also side by side', async () => {
    const caller = session();
    const answers = await Promise.all([1, 2, 3].map(() => connect('simulator-token-leo', caller)));
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1);
    expect((await list(caller)).data).toHaveLength(1);
  });

  it('201 for several accounts that are connected again side by side', async () => {
    const caller = session();
    const names = ['leo', 'mia', 'noa', 'pia'];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(names.map(name => connect(`simulator-token-${name}`, caller)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    }
  });

  it('the token is stored encrypted, and bound to its row', async () => {
    const caller = session();
    await connect('simulator-token-hidden', caller);
    const rows = await world.service.db.query<{ row: string }>('select s::text as row from metric_sources s');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain('simulator-token');
  });

  it('400 for a token that Instagram refuses', async () => {
    const answer = await connect('stolen');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toBe(
      'accessToken is refused by Instagram: it must be a valid token of the account',
    );
  });

  it('400 for a token that may read posts but not their views', async () => {
    await world.control('PUT', 'instagram/accounts/basic.only', { hasInsights: false });
    expect((await connect('simulator-token-basic.only')).status).toBe(201);
    await world.put('instagram', freshId('instagram'), { views: 9, owner: 'basic.only' });
    const answer = await connect('simulator-token-basic.only');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain('instagram_business_manage_insights');
    await world.control('PUT', 'instagram/accounts/basic.only', { hasInsights: true });
    expect((await connect('simulator-token-basic.only')).status).toBe(201);
  });

  it.each(['connection_dropped', 'rate_limited'])(
    '503 service_unavailable with Retry-After when Instagram cannot be asked: %s',
    async kind => {
      await world.setFaults({ platform: 'instagram', operation: 'media', kind });
      const answer = await connect('simulator-token-maya');
      await world.setFaults();
      expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.text).not.toContain('simulator-token');
    },
  );
});

describe('GET /v1/analytics/sources', () => {
  it('200 lists the account’s own, newest first, in pages', async () => {
    const caller = session();
    for (const name of ['one', 'two', 'three']) {
      world.advance(1);
      await world.connect(caller, name);
    }
    expect((await list(caller)).data.map((source: Json) => source.username)).toEqual(['three', 'two', 'one']);
    const first = await list(caller, '?limit=2');
    expect(first.data).toHaveLength(2);
    const second = await list(caller, `?limit=2&cursor=${first.nextCursor}`);
    expect(second.data.map((source: Json) => source.username)).toEqual(['one']);
    expect(second.nextCursor).toBeNull();
  });

  it('200 lists those of a state', async () => {
    const caller = session();
    for (const name of ['well', 'refused']) await world.connect(caller, name);
    await world.service.db.query(
      `update metric_sources set status = 'needs_reauth' where username = 'refused'`,
    );
    expect((await list(caller, '?status=needs_reauth')).data).toMatchObject([{ username: 'refused' }]);
    expect((await list(caller, '?status=connected')).data).toMatchObject([{ username: 'well' }]);
  });

  it('200 with an empty list for an account without sources', async () => {
    expect(await list()).toEqual({ data: [], nextCursor: null });
  });
});

describe('DELETE /v1/analytics/sources/{id}', () => {
  it('200 removes it; its posts keep their numbers and are not asked for any more', async () => {
    const caller = session();
    const { id } = await world.connect(caller, 'going');
    const platformPostId = freshId('instagram');
    await world.put('instagram', platformPostId, { views: 9, owner: 'going' });
    await world.register(caller, { videoId: 'kept', platform: 'instagram', platformPostId });
    await measured(world, caller, 'kept', { views: 9 });
    const answer = await world.call(caller, 'DELETE', `/v1/analytics/sources/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { id, deleted: true } });
    expect((await list(caller)).data).toEqual([]);
    const calls = (await world.callsFor(platformPostId)).length;
    await world.put('instagram', platformPostId, { views: 11, owner: 'going' });
    world.advance(20 * dayMs);
    const other = session();
    await world.connect(other, 'staying');
    const marker = freshId('instagram');
    await world.put('instagram', marker, { views: 3, owner: 'staying' });
    await world.register(other, { videoId: 'marker', platform: 'instagram', platformPostId: marker });
    await measured(world, other, 'marker', { views: 3 });
    expect(await world.callsFor(platformPostId)).toHaveLength(calls);
    expect((await world.video(caller, 'kept')).posts[0].views).toBe(9);
    // Once connected again, under another id, the source finds the post.
    await world.connect(caller, 'going');
    await measured(world, caller, 'kept', { views: 11 });
  });
});

describe('tokens', () => {
  const refreshes = async (): Promise<number> =>
    ((await world.control('GET', 'metric-calls?platform=instagram')) as Json[]).filter(
      call => call.operation === 'refresh',
    ).length;
  const tokenOf = async (
    id: string,
  ): Promise<{ sealed: string; expiresAt: Date | null; refreshAt: Date }> => {
    const [row] = await world.service.db.query<{ sealed: string; expiresAt: Date | null; refreshAt: Date }>(
      `select token_sealed as sealed, token_expires_at as "expiresAt", refresh_at as "refreshAt"
       from metric_sources where id = $1`,
      [id],
    );
    return row!;
  };

  it('are refreshed once between replicas, at half of their life, and work for longer than one life', async () => {
    await world.service.db.query(`update metric_sources set refresh_at = 'infinity'`);
    const caller = session();
    const { id } = await world.connect(caller, 'lasting');
    const given = await tokenOf(id);
    expect(given.refreshAt.getTime() - world.now().getTime()).toBe(25 * 3_600_000);
    const [other, before] = [await world.startAnother(), await refreshes()];
    world.advance(2 * dayMs);
    const first = await eventually(async () => {
      const token = await tokenOf(id);
      expect(token.sealed).not.toBe(given.sealed);
      return token;
    }, 15_000);
    expect(await refreshes()).toBe(before + 1);
    expect(first.expiresAt!.getTime() - world.now().getTime()).toBe(5_183_944_000);
    expect(first.refreshAt.getTime() - world.now().getTime()).toBe(5_183_944_000 / 2);
    world.advance(31 * dayMs);
    await eventually(async () => expect((await tokenOf(id)).sealed).not.toBe(first.sealed), 15_000);
    world.advance(29 * dayMs);
    const platformPostId = freshId('instagram');
    await world.put('instagram', platformPostId, { views: 4, owner: 'lasting' });
    await world.register(caller, { videoId: 'late', platform: 'instagram', platformPostId });
    await measured(world, caller, 'late', { views: 4 });
    await other.stop();
  }, 60_000);

  it('a permanently refused refresh needs the owner; one that fails is retried', async () => {
    await world.service.db.query(`update metric_sources set refresh_at = 'infinity'`);
    const caller = session();
    const { id } = await world.connect(caller, 'shaky');
    await world.setFaults({ platform: 'instagram', operation: 'refresh', kind: 'transient' });
    world.advance(2 * dayMs);
    const due = world.now().getTime();
    await eventually(
      async () => expect((await tokenOf(id)).refreshAt.getTime()).toBe(due + 3_600_000),
      15_000,
    );
    expect((await list(caller)).data[0].status).toBe('connected');
    await world.setFaults({ platform: 'instagram', operation: 'refresh', kind: 'token_revoked' });
    world.advance(3_600_000);
    await eventually(async () => expect((await list(caller)).data[0].status).toBe('needs_reauth'), 15_000);
    await world.setFaults();
  }, 60_000);

  it('that no key opens are postponed, and those due behind them are refreshed', async () => {
    await world.service.db.query(`update metric_sources set refresh_at = 'infinity'`);
    const [broken, healthy] = [
      await world.connect(session(), 'broken'),
      await world.connect(session(), 'whole'),
    ];
    await world.service.db.query(
      'update metric_sources set token_sealed = $2, refresh_at = $3 where id = $1',
      [broken.id, (await tokenOf(broken.id)).sealed.replace(/^[^.:]+/, 'retired'), world.now()],
    );
    const given = await tokenOf(healthy.id);
    world.advance(2 * dayMs);
    await eventually(async () => expect((await tokenOf(healthy.id)).sealed).not.toBe(given.sealed), 20_000);
    expect((await tokenOf(broken.id)).refreshAt.getTime()).toBeGreaterThan(world.now().getTime());
  }, 60_000);
});
