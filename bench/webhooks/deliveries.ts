/** The measured runs of deliveries: from the commit at the owner to the receiver. */
import { setTimeout as wait } from 'node:timers/promises';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import type { ProducerAnswer } from './producer.ts';
import type { BenchEndpoint } from './receivers.ts';
import type { Stack } from './stack.ts';

const drainMs = 60_000;

/** Accounts with this many endpoints each. */
export async function registerAll(
  stack: Stack,
  endpoints: readonly BenchEndpoint[],
  perAccount: number,
): Promise<string[]> {
  const accountIds: string[] = [];
  for (let first = 0; first < endpoints.length; first += perAccount) {
    accountIds.push(await stack.register(endpoints.slice(first, first + perAccount)));
  }
  return accountIds;
}

export type StreamResult = {
  perSecond: number;
  lost: number;
  duplicated: number;
  p50Ms: number;
  p99Ms: number;
  /** Lateness of the producer with its last event: a machine that cannot even produce measures nothing. */
  producerLateMs: number;
};

/**
 * Produces at a rate and waits until everything has arrived (at most 60 s). `perSecond`: deliveries per
 * second of those that arrived while events were produced.
 */
export async function runStream(
  stack: Stack,
  {
    perSecond,
    seconds,
    accountIds,
    perAccount,
  }: { perSecond: number; seconds: number; accountIds: string[]; perAccount: number },
): Promise<StreamResult> {
  const { receivers } = stack;
  receivers.forget();
  const beganNs = process.hrtime.bigint();
  const produced = await stack.produce({ kind: 'stream', perSecond, seconds, accountIds });
  const expected = produced.ids.length * perAccount;
  await untilArrived(receivers.endpoints, new Set(produced.ids), expected);
  const arrived = collect(receivers.endpoints, new Set(produced.ids));
  const endNs = beganNs + BigInt(Math.round(seconds * 1e9));
  const inTime = arrived.times.filter(at => at <= endNs).length;
  const latencies = latenciesOf(receivers.endpoints, produced);
  return {
    perSecond: inTime / seconds,
    lost: expected - arrived.unique,
    duplicated: arrived.times.length - arrived.unique,
    p50Ms: percentileOf(latencies, 0.5),
    p99Ms: percentileOf(latencies, 0.99),
    producerLateMs: produced.lateMs,
  };
}

async function untilArrived(
  endpoints: readonly BenchEndpoint[],
  ids: ReadonlySet<string>,
  expected: number,
): Promise<void> {
  const until = performance.now() + drainMs;
  while (performance.now() < until) {
    const count = endpoints.reduce((sum, { ids: arrived }) => sum + arrived.length, 0);
    if (count >= expected && collect(endpoints, ids).unique >= expected) return;
    await wait(50);
  }
}

function collect(
  endpoints: readonly BenchEndpoint[],
  ids: ReadonlySet<string>,
): { times: bigint[]; unique: number } {
  const times: bigint[] = [];
  let unique = 0;
  for (const endpoint of endpoints) {
    const seen = new Set<string>();
    for (const [index, id] of endpoint.ids.entries()) {
      if (!ids.has(id)) continue;
      times.push(endpoint.arrivedNs[index] as bigint);
      seen.add(id);
    }
    unique += seen.size;
  }
  return { times, unique };
}

function latenciesOf(
  endpoints: readonly BenchEndpoint[],
  { ids, committedNs }: ProducerAnswer,
): Float64Array {
  const committed = new Map(ids.map((id, index) => [id, BigInt(committedNs[index] ?? 0)]));
  const latencies: number[] = [];
  for (const endpoint of endpoints) {
    for (const [index, id] of endpoint.ids.entries()) {
      const at = committed.get(id);
      if (at !== undefined) latencies.push(Number((endpoint.arrivedNs[index] as bigint) - at) / 1e6);
    }
  }
  return Float64Array.from(latencies).sort();
}

export type BacklogResult = {
  events: number;
  drainSeconds: number;
  lost: number;
  othersP99BeforeMs: number;
  othersP99DuringMs: number;
  othersP99Ratio: number;
};

/** One endpoint hangs while its events pile up; then it answers, while the others continue. */
export async function runBacklog(
  stack: Stack,
  { events, slow, others }: { events: number; slow: BenchEndpoint; others: string[] },
): Promise<BacklogResult> {
  const { receivers } = stack;
  slow.isHanging = true;
  const accountId = await stack.register([slow]);
  receivers.forget();
  const produced = await stack.produce({ kind: 'bulk', count: events, accountId });
  await untilPiledUp(stack, accountId, events);
  const stream = { perSecond: 100, seconds: 15, accountIds: others, perAccount: 1 };
  // The first measures the others next to a hanging endpoint, the second next to its drain.
  const before = await runStream(stack, stream);
  receivers.forget();
  const ids = new Set(produced.ids);
  const drainBeganMs = performance.now();
  let drainedMs = 0;
  receivers.release(slow);
  const draining = (async () => {
    while (performance.now() - drainBeganMs < 180_000) {
      if (slow.ids.length >= events && new Set(slow.ids.filter(id => ids.has(id))).size >= events) break;
      await wait(50);
    }
    drainedMs = performance.now() - drainBeganMs;
  })();
  const others2 = receivers.endpoints.filter(one => one !== slow);
  const during = await streamBeside(stack, stream, others2);
  await draining;
  return {
    events,
    drainSeconds: drainedMs / 1_000,
    lost: events - new Set(slow.ids.filter(id => ids.has(id))).size,
    othersP99BeforeMs: before.p99Ms,
    othersP99DuringMs: during,
    othersP99Ratio: during / before.p99Ms,
  };
}

async function streamBeside(
  stack: Stack,
  stream: { perSecond: number; seconds: number; accountIds: string[] },
  endpoints: readonly BenchEndpoint[],
): Promise<number> {
  const produced = await stack.produce({ kind: 'stream', ...stream });
  await untilArrived(endpoints, new Set(produced.ids), produced.ids.length);
  return percentileOf(latenciesOf(endpoints, produced), 0.99);
}

async function untilPiledUp(stack: Stack, accountId: string, events: number): Promise<void> {
  const until = performance.now() + 300_000;
  for (;;) {
    const [row] = await stack.db.query<{ count: number }>(
      'select position::int as count from automation.feed_heads where account_id = $1',
      [accountId],
    );
    if ((row?.count ?? 0) >= events) return;
    if (performance.now() > until) throw new Error(`only ${row?.count} of ${events} events arrived in 5 min`);
    await wait(200);
  }
}
