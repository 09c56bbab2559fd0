/**
 * G-K3 and G-K7: keys are revoked and limits kept while Redis is cut off from one gateway, silent to another,
 * and killed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, User } from './client.ts';
import type { Recorder } from './history.ts';
import { startRevocationLoad } from './revocation-load.ts';
import type { Stack } from './stack.ts';
import { runWindowLoad } from './window-load.ts';

/** Time after its return within which Redis must rule again. */
const exactAgainWithinMs = 5_000;

/** What a busy machine may take longer until enough requests have used a revoked key. */
const longerMs = 300_000;

/** Longer than a gateway takes to notice that Redis answers again: each fault must hit one that uses it. */
const untilBackMs = 2_500;

export type OutageOptions = {
  connections: number;
  calmMs: number;
  killedMs: number;
  lanesOfEachKind: number;
  /** Requests with a revoked key, at least. */
  usesOfRevoked: number;
};

/** Parts of the history with a fault. */
export const faultParts = ['cut off', 'silent', 'killed', 'degraded'];

export async function runOutage(
  stack: Stack,
  client: Client,
  user: User,
  recorder: Recorder,
  { connections, calmMs, killedMs, lanesOfEachKind, usesOfRevoked }: OutageOptions,
): Promise<void> {
  const note = (what: string): void => {
    recorder.write({ kind: 'fault', what, atMs: performance.now() });
  };
  const load = startRevocationLoad(client, user, recorder, { connections, revokers: 8 });
  load.enter('calm');
  await delay(calmMs);

  const [first, second] = stack.ways;
  load.enter('cut off');
  note('cut off');
  first?.cut();
  // Longer than the 6 s for which a DELETE waits there.
  await delay(9_000);
  first?.mend();
  await delay(untilBackMs);

  load.enter('silent');
  note('silent');
  second?.freeze();
  await delay(9_000);
  second?.mend();
  await delay(untilBackMs);

  load.enter('killed');
  note('killed');
  await stack.redis.kill();
  const diedMs = performance.now();
  await runWindowLoad(client, user, {
    part: 'degraded',
    lanesOfEachKind,
    runMs: killedMs - 4_000,
    spreadMs: 4_000,
    isPerGateway: true,
  });
  await delay(Math.max(0, diedMs + killedMs - performance.now()));
  await stack.redis.restart();
  note('returned');
  load.enter('calm');
  await delay(exactAgainWithinMs);
  await runWindowLoad(client, user, { part: 'returned', lanesOfEachKind, runMs: 6_000, spreadMs: 3_000 });
  load.enter('calm');
  // A twentieth more: those under way when their key was revoked do not count.
  await load.reach(usesOfRevoked * 1.05, longerMs);
  await load.stop();
}
