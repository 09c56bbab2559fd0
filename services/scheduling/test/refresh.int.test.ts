import { randomBytes } from 'node:crypto';
import type { Caller } from '@hookline/shared/http';
import { createSecretBox, loadSettings } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { startCutProxy } from '@hookline/testing/cut-at';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import type { TestService } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endRefreshLease,
  markNeedsReauth,
  saveRefreshed,
  takeRefreshLease,
} from '../src/accounts/queries-tokens.ts';
import { getAccessToken, type TokenAnswer } from '../src/accounts/tokens.ts';
import type { SchedulingDeps } from '../src/deps.ts';
import { addExpiredAccount, depsOf, type Json, startSilentTokenServer, startWorld } from './world.ts';

const rounds = 5;
const asksPerReplica = 3;
const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const world = perSuite(() => startWorld({ role: 'api' }));
let replicas: TestService[];

beforeAll(async () => {
  replicas = [world.service, await world.startAnother(), await world.startAnother()];
});

describe('token refresh over replicas', () => {
  it(`replicas that need a token at once ask for one refresh (${rounds} rounds)`, async () => {
    const { caller, content, account } = await world.ready(2);
    // Every token call is counted, and delayed long enough for all others to overlap with it.
    await world.setFaults({ operation: 'oauth_token', kind: 'slow', delayMs: 150 });
    const query = `tiktokAccountId=${account.id}&mode=publish&privacyLevel=SELF_ONLY`;
    for (let round = 1; round <= rounds; round += 1) {
      await world.service.db.query(
        'update platform_accounts set access_expires_at = now(), checked_at = null where id = $1',
        [account.id],
      );
      const answers = await Promise.all(
        replicas.flatMap(replica =>
          Array.from({ length: asksPerReplica }, () =>
            preflight(replica, caller, `/v1/content/${content.id}/preflight?${query}`),
          ),
        ),
      );
      expect(answers).toEqual(answers.map(() => ({ postable: true, problems: [] })));
      const [fault] = await world.control('GET', 'faults');
      expect(fault.hits).toBe(round);
    }
    const { body } = await world.call(caller, 'GET', '/v1/accounts');
    expect(body.data[0].status).toBe('connected');
  });
});

describe('a token endpoint that hangs', () => {
  it('a token endpoint that hangs holds no connection, and gets one call per account, then one probe', async () => {
    const { log, database } = world.service;
    const server = await startSilentTokenServer(2_000);
    const { carriers } = server;
    const db = openDatabase({
      ...{ url: database.roleUrl('scheduling'), connectionsMax: 4, name: 'test', log },
    });
    const ring = loadSettings(['ENCRYPTION_KEYS'], {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    });
    const box = createSecretBox(ring.ENCRYPTION_KEYS ?? []);
    const deps = { db, carriers, secretBox: box, log, now: () => new Date() };
    try {
      const ids: string[] = [];
      for (let count = 0; count < 20; count += 1) ids.push(await addExpiredAccount(db, box));
      const answers = ids.map(id => getAccessToken(deps, id));
      await expect.poll(() => server.asked, { timeout: 10_000 }).toBe(20);
      // Four connections, twenty refreshes in flight: none of the connections is in use.
      const beganAt = performance.now();
      await Promise.all(Array.from({ length: 8 }, () => db.query('select 1')));
      expect(performance.now() - beganAt).toBeLessThan(2_000);
      const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(['unavailable']));
      const leases = await db.query(
        'select 1 from platform_accounts where refresh_holder is not null and id = any($1)',
        [ids],
      );
      expect(leases).toEqual([]);
      const states = await db.query<{ status: string }>(
        'select distinct status from platform_accounts where id = any($1)',
        [ids],
      );
      expect(states).toEqual([{ status: 'connected' }]);
      const refused = { kind: 'unavailable', reason: 'the token endpoint answered none of the last calls' };
      expect(await getAccessToken(deps, ids[0]!)).toEqual(refused);
      expect(server.asked).toBe(20);
      await wait(1_100);
      const probe = getAccessToken(deps, ids[0]!);
      await expect.poll(() => server.asked).toBe(21);
      expect(await getAccessToken(deps, ids[1]!)).toEqual(refused);
      expect((await probe).kind).toBe('unavailable');
      await wait(1_100);
      server.mend();
      expect((await getAccessToken(deps, ids[0]!)).kind).toBe('token');
      const last = await Promise.all(ids.map(id => getAccessToken(deps, id)));
      expect(new Set(last.map(({ kind }) => kind))).toEqual(new Set(['token']));
    } finally {
      await server.close();
      await db.close();
    }
  }, 60_000);

  it("a dead process's refresh is taken over after its lease, and late tokens replace no newer ones", async () => {
    const { account } = await world.ready(2);
    const { db } = world.service;
    const lease = { id: account.id as string, holder: 'dead', refreshSealed: 'another' };
    expect(await takeRefreshLease(db, { id: lease.id, holder: 'dead' }, 60_000)).not.toBeNull();
    expect(await takeRefreshLease(db, { id: lease.id, holder: 'next' }, 60_000)).toBeNull();
    await db.query(`update platform_accounts set refresh_lease_until = now() where id = $1`, [lease.id]);
    expect(await takeRefreshLease(db, { id: lease.id, holder: 'next' }, 60_000)).not.toBeNull();
    const tokens = {
      ...{ accessSealed: 'x', accessExpiresAt: new Date(), refreshSealed: 'y', refreshExpiresAt: new Date() },
    };
    expect(await saveRefreshed(db, lease, tokens, new Date())).toBe(false);
    expect(await markNeedsReauth(db, lease, new Date())).toBeNull();
    const [row] = await db.query('select status, refresh_holder from platform_accounts where id = $1', [
      lease.id,
    ]);
    expect(row).toEqual({ status: 'connected', refresh_holder: 'next' });
    await endRefreshLease(db, lease.id, 'next');
  });
});

describe('a new pair, the only one that TikTok still accepts', () => {
  let deps: SchedulingDeps;
  beforeAll(() => {
    deps = depsOf(world);
  });
  afterAll(() => deps.carriers.tiktok.close());

  /** An account whose access token is over. */
  async function expired(): Promise<string> {
    const { account } = await world.ready(2);
    await set(account.id, 'access_expires_at = now()');
    return account.id;
  }
  const set = (id: string, what: string) =>
    world.service.db.query(`update platform_accounts set ${what} where id = $1`, [id]);
  const statusOf = async (id: string) => {
    const [row] = await world.service.db.query<Json>(
      'select status, updated_at as "updatedAt" from platform_accounts where id = $1',
      [id],
    );
    return row;
  };
  const answerOf = (id: string, own = deps): Promise<TokenAnswer> => getAccessToken(own, id);
  const tokenOf = (answer: TokenAnswer): string => (answer.kind === 'token' ? answer.token : answer.kind);

  /** A process that stops after TikTok's answer, until `goOn`. */
  function stalling() {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    let isAnswered = false;
    const { tiktok } = deps.carriers;
    const refreshTokens = async (token: string) => {
      const answer = await tiktok.refreshTokens(token);
      isAnswered = true;
      await gate;
      return answer;
    };
    const answered = () => eventually(() => expect(isAnswered).toBe(true));
    return { deps: { ...deps, carriers: { tiktok: { ...tiktok, refreshTokens } } }, answered, goOn };
  }

  it.each([
    ['does not reach the database', 'client'],
    ['loses its answer', 'server'],
  ])('a new pair is saved although the first try %s', async (_, side) => {
    const id = await expired();
    const url = new URL(world.service.database.roleUrl('scheduling'));
    const proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const db = openTestDatabase(url.href, 2);
    try {
      let isAsked = false;
      proxy.arm(({ from, bytes }) => {
        isAsked ||= bytes.includes('set access_token_sealed');
        return isAsked && from === side ? 0 : null;
      });
      const answer = await answerOf(id, { ...deps, db });
      expect(proxy.cuts).toBe(1);
      expect(answer.kind).toBe('token');
      expect(await answerOf(id)).toEqual(answer);
      // The refresh token of the pair is stored, too.
      await set(id, 'access_expires_at = now()');
      expect((await answerOf(id)).kind).toBe('token');
    } finally {
      await db.close();
      await proxy.close();
    }
  });

  it('a pair that is saved after another process was refused makes the account usable again', async () => {
    const id = await expired();
    const late = stalling();
    const answer = answerOf(id, late.deps);
    await late.answered();
    await set(id, 'refresh_lease_until = now()');
    expect(await answerOf(id)).toEqual({ kind: 'account', code: 'account_needs_reauth' });
    expect((await statusOf(id)).status).toBe('needs_reauth');
    await set(id, `updated_at = 'epoch'`);
    late.goOn();
    expect((await answer).kind).toBe('token');
    const saved = await statusOf(id);
    expect(saved.status).toBe('connected');
    expect(saved.updatedAt.getTime()).toBeGreaterThan(0);
    expect(tokenOf(await answerOf(id))).toBe(tokenOf(await answer));
  });

  it('a process that was refused uses the pair that was saved meanwhile', async () => {
    const id = await expired();
    const [first, second] = [stalling(), stalling()];
    const firstAnswer = answerOf(id, first.deps);
    await first.answered();
    await set(id, 'refresh_lease_until = now()');
    const secondAnswer = answerOf(id, second.deps);
    await second.answered();
    first.goOn();
    expect((await firstAnswer).kind).toBe('token');
    second.goOn();
    expect(tokenOf(await secondAnswer)).toBe(tokenOf(await firstAnswer));
    expect((await statusOf(id)).status).toBe('connected');
  });
});

async function preflight(replica: TestService, caller: Caller, path: string): Promise<unknown> {
  const { body } = await replica.call('GET', path, { caller });
  return (body as { data: unknown }).data;
}
