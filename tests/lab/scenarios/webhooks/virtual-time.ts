/**
 * G-W9: a thousand endpoints through five days on an injected clock, the real service in this process. The
 * plan is compared with arrivals, recorded by the receiver with the time on that clock.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { automation } from '@hookline/automation';
import { jobCompleted } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import type { Verdicts } from '../../kit/checks/verdict.ts';

export const virtualTime = 'ten attempts over 75 h 35 min, each within 20 % (G-W9)';

const second = 1_000;
const hour = 3_600 * second;
/** The documented plan, repeated here. */
const pausesMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(value => value * second);
const share = 0.2;
const retryAfterMs = 2 * hour;

const kinds = ['failing', 'busy', 'gone', 'moved', 'long', 'taken'] as const;
type Kind = (typeof kinds)[number];
const perKind: Record<Kind, number> = { failing: 600, busy: 100, gone: 100, moved: 50, long: 50, taken: 100 };

type Seen = { kind: Kind; arrivals: number[] };

export type VirtualFigures = { endpoints: number; attempts: number; spanHours: number; disabled: number };

export async function proveVirtualTime(verdicts: Verdicts): Promise<VirtualFigures> {
  let nowMs = Date.now();
  const seen = new Map<string, Seen>();
  const receiver = await startReceiver(seen, () => nowMs);
  const service = await startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
    now: () => new Date(nowMs),
  });
  try {
    const callers = await register(service, receiver.target, seen);
    for (const caller of callers) await publish(service, caller);
    const began = nowMs;
    await untilQuiet(service, nowMs, callers.length);
    const walk = async (untilMs: number): Promise<void> => {
      for (
        let next = await nextDue(service);
        next !== null && next <= untilMs;
        next = await nextDue(service)
      ) {
        // Steps of 1 % of the time so far: small compared to any pause, and many attempts each.
        nowMs = Math.max(next, nowMs + (nowMs - began) * 0.01);
        await service.db.query(`select pg_notify('automation_deliveries', '')`);
        await untilQuiet(service, nowMs);
      }
      nowMs = Math.max(nowMs, untilMs);
    };
    await walk(began + 100 * hour);
    const attempts = [...seen.values()].reduce((sum, one) => sum + one.arrivals.length, 0);
    const spanHours = checkAttempts(seen, verdicts);
    // More events keep the failing endpoints failing, past the fifth day.
    for (const caller of callers) await publish(service, caller);
    await untilQuiet(service, nowMs, 2 * callers.length);
    await walk(began + 145 * hour);
    const disabled = await checkDisabled(service, callers, verdicts);
    return { endpoints: seen.size, attempts, spanHours, disabled };
  } finally {
    await service.stop();
    await receiver.close();
  }
}

async function startReceiver(seen: Map<string, Seen>, clock: () => number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const one = seen.get(request.url ?? '');
      if (!one) return void response.writeHead(404).end();
      one.arrivals.push(clock());
      const isFirst = one.arrivals.length === 1;
      if (one.kind === 'gone') response.writeHead(410).end();
      else if (one.kind === 'moved')
        response.writeHead(302, { location: `http://${request.headers.host}/` }).end();
      else if (one.kind === 'long') response.writeHead(200).end('x'.repeat(65_537));
      else if (one.kind === 'taken') response.writeHead(200).end();
      else if (one.kind === 'busy' && isFirst) {
        response.writeHead(429, { 'retry-after': String(retryAfterMs / second) }).end();
      } else response.writeHead(one.kind === 'busy' ? 204 : 500).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** @returns one account per 100 endpoints, the most it may have */
async function register(service: TestService, target: string, seen: Map<string, Seen>): Promise<Caller[]> {
  const callers: Caller[] = [];
  let count = 0;
  for (const kind of kinds) {
    for (let index = 0; index < perKind[kind]; index += 1, count += 1) {
      if (count % 100 === 0) callers.push(testCaller());
      const path = `/${kind}/${index}`;
      seen.set(path, { kind, arrivals: [] });
      const body = { url: `http://${target}${path}`, events: ['job.completed'] };
      const answer = await service.call('POST', '/v1/webhooks', { caller: callers.at(-1) as Caller, body });
      if (answer.status !== 201)
        throw new Error(`registration was answered ${answer.status}: ${answer.text}`);
    }
  }
  return callers;
}

async function publish(service: TestService, caller: Caller): Promise<void> {
  const subject = newId('content');
  const data = { ...jobCompleted.example, origin: null };
  await service.publish(jobCompleted, { subject, accountId: caller.accountId, data });
}

/**
 * True when nothing is due on the injected clock and nothing is in flight: every attempt of this moment was
 * made and recorded.
 */
async function untilQuiet(service: TestService, nowMs: number, events = 0): Promise<void> {
  await eventually(async () => {
    const [row] = await service.db.query<{ busy: number; events: number }>(
      `select (select count(*) from deliveries
         where status = 'pending' and (next_attempt_at <= $1 or lease_token is not null or attempted_at is null))::int
         as busy,
         (select count(*) from feed_events where type <> 'webhook.disabled')::int as events`,
      [new Date(nowMs)],
    );
    if (row?.busy !== 0 || row.events < events) {
      throw new Error(`${row?.busy} deliveries are in hand, ${row?.events} events have arrived`);
    }
  }, 60_000);
}

async function nextDue(service: TestService): Promise<number | null> {
  const [row] = await service.db.query<{ at: Date | null }>(
    `select min(next_attempt_at) as at from deliveries where status = 'pending'`,
  );
  return row?.at?.getTime() ?? null;
}

/** @returns hours from the first to the last attempt of the slowest endpoint */
function checkAttempts(seen: ReadonlyMap<string, Seen>, verdicts: Verdicts): number {
  let spanMs = 0;
  const expectedOf: Record<Kind, readonly number[]> = {
    failing: pausesMs,
    moved: pausesMs,
    busy: [retryAfterMs],
    gone: [],
    // A 2xx is a delivery however long its body.
    long: [],
    taken: [],
  };
  for (const [path, { kind, arrivals }] of seen) {
    const pauses = arrivals.slice(1).map((at, index) => at - (arrivals[index] as number));
    const expected = expectedOf[kind];
    const isRight =
      pauses.length === expected.length &&
      pauses.every((pause, index) => {
        const planned = expected[index] as number;
        // Retry-After is a minimum; the clock's steps come on top.
        const least = kind === 'busy' ? planned : planned * (1 - share);
        return pause >= least && pause <= planned * (1 + share);
      });
    verdicts.find(
      virtualTime,
      isRight ? 'ok' : 'unexpected',
      `${path}: ${pauses.map(ms => ms / second).join(' ')} s`,
    );
    spanMs = Math.max(spanMs, (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0));
  }
  return spanMs / hour;
}

/**
 * Disabled by a 410 at once, and after five days of failures, as reported in the feed; the others continue.
 * @returns the number disabled
 */
async function checkDisabled(
  service: TestService,
  callers: readonly Caller[],
  verdicts: Verdicts,
): Promise<number> {
  let disabled = 0;
  for (const caller of callers) {
    const listed = await service.call('GET', '/v1/webhooks', { caller });
    const told = await toldDisabled(service, caller);
    for (const one of (
      listed.body as { data: { id: string; url: string; status: string; disabledReason: string }[] }
    ).data) {
      const kind = new URL(one.url).pathname.split('/')[1] as Kind;
      const reason = kind === 'gone' ? '410' : '5 days';
      const isToBe = !['taken', 'busy', 'long'].includes(kind);
      const isDisabled = one.status === 'disabled' && one.disabledReason.includes(reason) && told.has(one.id);
      if (isDisabled) disabled += 1;
      const isRight = isToBe ? isDisabled : one.status === 'enabled' && !told.has(one.id);
      verdicts.find(
        virtualTime,
        isRight ? 'ok' : 'unexpected',
        `${one.url} is ${one.status}: ${one.disabledReason}`,
      );
    }
  }
  return disabled;
}

/** Reads the whole feed of an account, page by page. @returns the endpoints that it reports as disabled */
async function toldDisabled(service: TestService, caller: Caller): Promise<Set<string>> {
  const told = new Set<string>();
  for (let after = ''; ; ) {
    const page = await service.call('GET', `/v1/events${after}`, { caller });
    const { data, nextCursor } = page.body as {
      data: { type: string; data: { id: string } }[];
      nextCursor: string;
    };
    if (data.length === 0) return told;
    for (const event of data) if (event.type === 'webhook.disabled') told.add(event.data.id);
    after = `?after=${nextCursor}`;
  }
}
