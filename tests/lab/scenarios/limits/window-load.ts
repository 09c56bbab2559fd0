/**
 * G-K4: bursts of every kind at every gateway, mostly across the edges of windows that earlier bursts opened.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WindowName } from '../../kit/checks/check-windows.ts';
import { anyIp, type Question } from '../../kit/clients/http-client.ts';
import type { Client, User } from './client.ts';

/** One key or address, or several that share one, and its requests. */
type Lane = { burst: number; next(): { question: Question; windows: WindowName[] } };

export type WindowLoadOptions = {
  part: string;
  lanesOfEachKind: number;
  /** Milliseconds from now until the last burst. */
  runMs: number;
  /** Lanes start within this time; many lanes need more, or the machine is what is measured. */
  spreadMs: number;
  /** Set where windows are per gateway: every lane then stays with one. */
  isPerGateway?: true;
};

const windowMs = 60_000;
const content = { method: 'POST', path: '/api/v1/content', body: {} } as const;
const read = { path: '/api/v1/schedules' } as const;
let lanesMade = 0;

/** Sends until every lane has finished its plan. */
export async function runWindowLoad(client: Client, user: User, options: WindowLoadOptions): Promise<void> {
  const plans: Promise<void>[] = [];
  for (let turn = 0; turn < options.lanesOfEachKind; turn += 1) {
    for (const makeLane of [keyLane, contentLane, addressLane, sharedAddressLane, mixedLane]) {
      lanesMade += 1;
      const lane = await makeLane(user, lanesMade);
      plans.push(runLane(client, lane, lanesMade, options));
    }
  }
  await Promise.all(plans);
}

async function runLane(client: Client, lane: Lane, number: number, options: WindowLoadOptions) {
  const began = performance.now();
  for (const { atMs, count } of planOf(lane, options)) {
    await delay(Math.max(0, began + atMs - performance.now()));
    await burst(client, lane, number, count, options);
  }
}

async function burst(client: Client, lane: Lane, number: number, count: number, options: WindowLoadOptions) {
  const sent = Array.from({ length: count }, (_, index) => {
    const gateway = (options.isPerGateway ? number : number + index) % client.gateways;
    const { question, windows } = lane.next();
    return client.ask(question, { part: options.part, gateway, windows });
  });
  await Promise.all(sent);
}

/**
 * A burst that fills the window, some that find it full, and bursts just before, at and after the moment at
 * which the first one's places are free again; single requests in between. Half of the lanes fill up in three
 * steps.
 */
function planOf(
  { burst: size }: Lane,
  { runMs, spreadMs }: WindowLoadOptions,
): { atMs: number; count: number }[] {
  const plan: { atMs: number; count: number }[] = [];
  const startMs = randomInt(spreadMs);
  const steps = randomInt(2) === 0 ? [0] : [0, 700, 1_900];
  for (let edgeMs = startMs; edgeMs < runMs; edgeMs += windowMs) {
    for (const stepMs of steps) plan.push({ atMs: edgeMs + stepMs, count: Math.ceil(size / steps.length) });
    for (const nearMs of [-400, -60, 40, 300]) {
      plan.push({ atMs: edgeMs + windowMs + nearMs, count: Math.ceil(size / 3) });
    }
    for (let single = 0; single < 12; single += 1)
      plan.push({ atMs: edgeMs + randomInt(windowMs), count: 2 });
  }
  return plan.filter(({ atMs }) => atMs <= runMs).sort((a, b) => a.atMs - b.atMs);
}

async function keyLane(user: User, number: number): Promise<Lane> {
  const { key } = await user.mint();
  return {
    burst: 200,
    next: () => {
      const ip = anyIp();
      return { question: { ...read, token: key, ip }, windows: [`ip:${ip}`, `key:k${number}`] };
    },
  };
}

async function contentLane(user: User, number: number): Promise<Lane> {
  const { key } = await user.mint();
  return {
    burst: 30,
    next: () => {
      const ip = anyIp();
      const windows: WindowName[] = [`ip:${ip}`, `key:k${number}`, `content:k${number}`];
      return { question: { ...content, token: key, ip, headers: { 'idempotency-key': 'x' } }, windows };
    },
  };
}

/** One key for both: refused content requests must cost the key nothing. */
async function mixedLane(user: User, number: number): Promise<Lane> {
  const [reads, writes] = [await keyLane(user, number), await contentLane(user, number)];
  const token = reads.next().question.token;
  return {
    burst: 200,
    next: () => {
      const { question, windows } = randomInt(4) === 0 ? writes.next() : reads.next();
      return { question: { ...question, token }, windows };
    },
  };
}

/** One address without a valid key: counted before any key lookup. */
async function addressLane(_user: User, number: number): Promise<Lane> {
  const ip = laneIp(number);
  const questions = [
    { path: '/api/v1/apps', token: 'svc_live_nonsense' },
    { path: '/api/v1/keys', token: 'sess_nobody' },
    { path: '/api/v1/nothing' },
    { method: 'DELETE', path: '/api/v1/apps' },
    { path: '/api/v1/openapi.json' },
  ] as const;
  let turn = 0;
  return {
    burst: 400,
    next: () => {
      turn += 1;
      return { question: { ...(questions[turn % questions.length] as Question), ip }, windows: [`ip:${ip}`] };
    },
  };
}

/** Three keys behind one address: its window is full before theirs are. */
async function sharedAddressLane(user: User, number: number): Promise<Lane> {
  const keys = [await user.mint(), await user.mint(), await user.mint()];
  const ip = laneIp(number);
  let turn = 0;
  return {
    burst: 400,
    next: () => {
      turn += 1;
      const at = turn % keys.length;
      return {
        question: { ...read, token: keys[at]?.key, ip },
        windows: [`ip:${ip}`, `key:k${number}-${at}`],
      };
    },
  };
}

function laneIp(number: number): string {
  return `172.16.${number >> 8}.${number & 255}`;
}
