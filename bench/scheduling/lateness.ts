/**
 * Delay of a due schedule's call to the platform: alone, for a thousand of them within a second, and for many
 * whose access tokens are all over.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { dayMs } from '@hookline/shared/kernel/durations';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { type Figure, figureOf } from '../harness/figures.ts';
import { withClient } from '../harness/postgres.ts';
import type { RoundTable } from '../harness/rounds.ts';
import type { Json, Stack } from './stack.ts';

export type LatenessOptions = { accounts: number; burst: number; idle: number; rounds: number };

type Lateness = { p50Ms: number; p99Ms: number; maxMs: number };

const decks = 50;

/** Each round uses new accounts: TikTok's limit of 6 calls a minute and account applies throughout. */
export async function measureLateness(stack: Stack, options: LatenessOptions) {
  const contentIds = await makeDecks(stack, decks);
  const idle: Lateness[] = [];
  const burst: Lateness[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const accounts = await connectAccounts(stack, `r${round}`, options.accounts);
    idle.push(await measureIdle(stack, accounts, contentIds, options.idle));
    burst.push(await measureBurst(stack, accounts, contentIds, options.burst));
    console.log(`round ${round + 1}: idle ${describe(idle.at(-1))}; burst ${describe(burst.at(-1))}`);
  }
  return { idle: figuresOf(idle), burst: figuresOf(burst), contentIds };
}

type Expired = Lateness & { putOffs: number };

/**
 * One post per account, all due at one instant. Their access tokens ended a moment ago, so that nothing could
 * be renewed ahead, and the token endpoint takes `tokenMs`. @returns per count: `expired400.p99Ms.median`
 */
export async function measureExpired(
  stack: Stack,
  contentIds: string[],
  { counts, rounds, tokenMs }: { counts: readonly number[]; rounds: number; tokenMs: number },
): Promise<RoundTable> {
  const accounts = await connectAccounts(stack, 'x', Math.max(...counts));
  const results = new Map<number, Expired[]>(counts.map(count => [count, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, count] of counts.entries()) {
      // Another deck each time: the account's last post may still wait for its outcome.
      const shift = round * counts.length + at;
      const late = await measureOnce(stack, accounts.slice(0, count), contentIds, { shift, tokenMs });
      results.get(count)?.push(late);
      console.log(`round ${round + 1}: ${count} expired ${describe(late)}, put off ${late.putOffs} times`);
    }
  }
  return Object.fromEntries([...results].map(([count, all]) => [`expired${count}`, figuresOf(all)]));
}

async function measureOnce(
  stack: Stack,
  accounts: string[],
  contentIds: string[],
  { shift, tokenMs }: { shift: number; tokenMs: number },
): Promise<Expired> {
  const ids = await makeSchedules(stack, accounts, contentIds, accounts.length, shift);
  const slow = { platform: 'tiktok', operation: 'oauth_token', kind: 'slow', delayMs: tokenMs, share: 1 };
  await stack.control('PUT', 'faults', [slow]);
  try {
    return await withClient(stack.database.roleUrl('scheduling'), async client => {
      await client.query(
        'update platform_accounts set access_expires_at = now(), kept_at = now() where id = any($1)',
        [accounts],
      );
      const late = await runAt(
        stack,
        ids,
        ids.map(() => 2_000),
      );
      const { rows } = await client.query<{ count: string }>(
        `select count(*) from schedule_timeline where what = 'put_off' and schedule_id = any($1)`,
        [ids],
      );
      return { ...late, putOffs: Number(rows[0]?.count) };
    });
  } finally {
    await stack.control('PUT', 'faults', []);
  }
}

async function measureIdle(stack: Stack, accounts: string[], contents: string[], count: number) {
  const ids = await makeSchedules(stack, accounts, contents, count, 3);
  // Separate times, 100 to 500 ms apart, so that no two coincide.
  let offsetMs = 2_000;
  const offsets = ids.map(() => {
    offsetMs += 100 + Math.random() * 400;
    return offsetMs;
  });
  return await runAt(stack, ids, offsets);
}

async function measureBurst(stack: Stack, accounts: string[], contents: string[], count: number) {
  const ids = await makeSchedules(stack, accounts, contents, count, 0);
  const offsets = ids.map((_, at) => 2_000 + (at * 1_000) / ids.length);
  return await runAt(stack, ids, offsets);
}

/**
 * Moves the schedules to their times in one statement, and waits until the platform was called for each of
 * them once.
 */
async function runAt(stack: Stack, ids: string[], offsetsMs: number[]): Promise<Lateness> {
  return await withClient(stack.database.roleUrl('scheduling'), async client => {
    const moved = await client.query<{ id: string; due: Date }>(
      `with moved as (
         update schedules s set scheduled_for = at, due_at = at
         from (select id, date_trunc('milliseconds', clock_timestamp() + ms * interval '1 ms') as at
               from unnest($1::text[], $2::float8[]) as given (id, ms)) times
         where s.id = times.id returning s.id, s.due_at as due
       ),
       told as (select pg_notify('scheduling_work', ''))
       select moved.* from moved, told`,
      [ids, offsetsMs],
    );
    const due = new Map(moved.rows.map(row => [row.id, row.due.getTime()]));
    const untilMs = Date.now() + Math.max(...offsetsMs) + 60_000;
    for (;;) {
      const { rows } = await client.query<{ id: string; publishId: string }>(
        'select schedule_id as id, publish_id as "publishId" from attempts where schedule_id = any($1) and publish_id is not null',
        [ids],
      );
      if (rows.length === ids.length) return await latenessOf(stack, due, rows);
      if (Date.now() > untilMs) throw new Error(`${ids.length - rows.length} of ${ids.length} were not sent`);
      await wait(500);
    }
  });
}

async function latenessOf(
  stack: Stack,
  due: Map<string, number>,
  sent: { id: string; publishId: string }[],
): Promise<Lateness> {
  const calls: Json[] = await stack.control('GET', 'init-requests');
  const arrivals = new Map(calls.map(call => [call.publishId, new Date(call.at).getTime()]));
  const refused = calls.filter(call => call.code !== 'ok');
  if (refused.length > 0) throw new Error(`the platform refused ${refused.length}: ${refused[0].code}`);
  const late = sent
    .map(({ id, publishId }) => (arrivals.get(publishId) as number) - (due.get(id) as number))
    .sort((a, b) => a - b);
  if ((late[0] as number) < 0) throw new Error('a call came before its time');
  return { p50Ms: percentileOf(late, 0.5), p99Ms: percentileOf(late, 0.99), maxMs: percentileOf(late, 1) };
}

/** Approved, rendered decks of three slides. */
async function makeDecks(stack: Stack, count: number): Promise<string[]> {
  const appStoreUrl = 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011';
  const app = await stack.ask('content', 'POST', '/v1/apps', { name: 'Pebblo', appStoreUrl });
  const brief = { templateId: 'quote-card', slideCount: 3 };
  return await inTurns(Array.from({ length: count }), async () => {
    // A generation has 8 s; on a busy machine one may fail.
    for (let attempt = 1; ; attempt += 1) {
      const deck = await stack.ask('content', 'POST', '/v1/content', {
        appId: app.id,
        type: 'slideshow',
        brief,
      });
      if (deck.status !== 'ready' && attempt < 5) continue;
      await stack.ask('content', 'POST', `/v1/content/${deck.id}/approve`);
      return deck.id as string;
    }
  });
}

async function connectAccounts(stack: Stack, prefix: string, count: number): Promise<string[]> {
  return await inTurns(
    Array.from({ length: count }, (_, at) => `${prefix}.${at}`),
    async username => {
      await stack.control('PUT', `tiktok/accounts/${username}`, { openDraftsMax: 1_000 });
      const begun = await stack.ask('scheduling', 'POST', '/v1/accounts/tiktok/connect', {});
      const consent = await fetch(`${begun.authorizeUrl}&as=${username}`, { redirect: 'manual' });
      const { search } = new URL(consent.headers.get('location') ?? '');
      const { state } = await stack.ask('scheduling', 'GET', `/v1/accounts/tiktok/callback${search}`);
      return (await stack.ask('scheduling', 'POST', '/v1/accounts/tiktok/finish', { state })).id as string;
    },
  );
}

/**
 * Pairs the accounts with decks, far ahead of their time. @param shift offset into the decks, past those
 * still being posted
 */
async function makeSchedules(
  stack: Stack,
  accounts: string[],
  contents: string[],
  count: number,
  shift: number,
): Promise<string[]> {
  const scheduledFor = new Date(Date.now() + dayMs).toISOString();
  const orders = Array.from({ length: count }, (_, at) => ({
    tiktokAccountId: accounts[at % accounts.length],
    contentId: contents[(Math.floor(at / accounts.length) * 7 + at + shift) % contents.length],
  }));
  return await inTurns(
    orders,
    async order =>
      (await stack.ask('scheduling', 'POST', '/v1/schedules', { ...order, scheduledFor })).id as string,
  );
}

/** Runs a few at a time, results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return results;
}

function figuresOf<K extends string>(rounds: Record<K, number>[]): Record<K, Figure> {
  const names = Object.keys(rounds[0] ?? {}) as K[];
  return Object.fromEntries(names.map(name => [name, figureOf(rounds.map(round => round[name]))])) as Record<
    K,
    Figure
  >;
}

function describe(lateness: Lateness | undefined): string {
  return lateness ? `p50 ${lateness.p50Ms} p99 ${lateness.p99Ms} max ${lateness.maxMs} ms` : '';
}
