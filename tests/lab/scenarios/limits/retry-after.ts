/**
 * G-K5: each lane fills its window, is refused, retries a second too early, waits as requested and retries
 * again.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WindowName } from '../../kit/checks/check-windows.ts';
import { anyIp, type Question } from '../../kit/clients/http-client.ts';
import type { Client, User } from './client.ts';
import type { Asked } from './history.ts';

/** Sent this long before the last conclusive moment, to allow for the round trip. */
const earlyMarginMs = 60;

type Lane = { limit: number; next(): { question: Question; windows: WindowName[] } };

export type RetryAfterOptions = { part: string; lanes: number; runMs: number };

/** Mostly lanes of content keys, because ten requests fill them; one in thirty of a key and of an address. */
export async function runRetryAfter(client: Client, user: User, options: RetryAfterOptions): Promise<void> {
  const lanes: Lane[] = [];
  for (let number = 0; number < options.lanes; number += 1) {
    if (number % 30 === 1) lanes.push(addressLane(number));
    else lanes.push(await keyLane(user, number, number % 30 !== 2));
  }
  const endMs = performance.now() + options.runMs;
  await Promise.all(lanes.map((lane, number) => runLane(client, lane, number, endMs, options.part)));
}

async function runLane(client: Client, lane: Lane, number: number, endMs: number, part: string) {
  const ask = (after?: NonNullable<Asked['after']>): Promise<Asked> => {
    const { question, windows } = lane.next();
    // Each retry uses another gateway: what one promised must hold at every other.
    return client.ask(question, {
      part,
      gateway: randomInt(client.gateways),
      windows,
      ...(after ? { after } : {}),
    });
  };
  await fill(ask, lane.limit, Math.min(50_000, (endMs - performance.now()) / 2));
  for (;;) {
    const refused = await ask();
    if (refused.status !== 429) {
      if (performance.now() > endMs) return;
      continue;
    }
    const toldMs = Number(refused.retryAfter) * 1_000;
    // NaN too: the checker finds the malformed header.
    if (!(refused.doneMs + toldMs < endMs)) return;
    const earlyMs = refused.sentMs + toldMs - 1_000 - earlyMarginMs;
    if (earlyMs > performance.now()) {
      await until(earlyMs);
      const early = await ask({ seq: refused.seq, waited: 'a second less' });
      // Too late to count as early: it has taken the place promised to the next retry.
      if (early.status !== 429) continue;
    }
    await until(refused.doneMs + toldMs);
    await ask({ seq: refused.seq, waited: 'as told' });
  }

  async function until(atMs: number): Promise<void> {
    while (performance.now() < atMs) await delay(Math.max(1, atMs - performance.now()));
  }
  // Spread out, so that the places become free one by one.
  async function fill(take: () => Promise<Asked>, limit: number, withinMs: number): Promise<void> {
    await delay((number * 37) % 1_000);
    for (let taken = 0; taken < limit; taken += 1) {
      await take();
      await delay(randomInt(Math.max(1, Math.round((2 * withinMs) / limit))));
    }
  }
}

async function keyLane(user: User, number: number, isContent: boolean): Promise<Lane> {
  const { key } = await user.mint();
  const question = isContent
    ? {
        method: 'POST' as const,
        path: '/api/v1/content',
        body: {},
        headers: { 'idempotency-key': 'x' },
      }
    : { path: '/api/v1/schedules' };
  return {
    limit: isContent ? 10 : 120,
    next: () => {
      const ip = anyIp();
      const windows: WindowName[] = [`ip:${ip}`, `key:r${number}`];
      if (isContent) windows.push(`content:r${number}`);
      return { question: { ...question, token: key, ip }, windows };
    },
  };
}

function addressLane(number: number): Lane {
  const ip = `172.20.${number >> 8}.${number & 255}`;
  return { limit: 300, next: () => ({ question: { path: '/api/v1/apps', ip }, windows: [`ip:${ip}`] }) };
}
