/**
 * The edges of the windows in Redis, tested with three gateways and stamps written as if taken a minute ago.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Admission, Admissions } from '../src/edge/limits/admission.ts';
import { createRedisAdmissions } from '../src/edge/limits/redis.ts';
import { openRedisLink } from '../src/edge/limits/redis-link.ts';
import type { KeyRecord } from '../src/identity/keys/record.ts';
import { randomIp, silent, testRecords } from './world.ts';

const redisUrl = await testRedisUrl();
const limits = { perIp: 300, perKey: 120, contentPerKey: 10 };
const loadKey = async (): Promise<KeyRecord | null> => null;

describe.skipIf(redisUrl === null)('windows in Redis, three gateways', () => {
  let redis: Redis;
  let gateways: Admissions[];
  beforeAll(async () => {
    redis = new Redis(redisUrl!);
    gateways = await Promise.all(
      [1, 2, 3].map(async () =>
        createRedisAdmissions({
          link: await openRedisLink(redisUrl!, silent),
          limits,
          replicas: 3,
          loadKey,
          records: testRecords(),
          nowMs: Date.now,
        }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()));
    redis.disconnect();
  });

  /** Redis' clock in microseconds, and the local time just before and after it was read. */
  async function redisClock(): Promise<{ nowUs: number; beforeMs: number; afterMs: number }> {
    const beforeMs = performance.now();
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
    return { nowUs: seconds * 1_000_000 + micros, beforeMs, afterMs: performance.now() };
  }

  /** Fills the window of a new address. Its places become free at these times after `nowUs`, oldest first. */
  async function fill(freeInMs: readonly number[], nowUs: number): Promise<string> {
    const ip = randomIp();
    const stamps = freeInMs.map(ms => nowUs - 60_000_000 + Math.round(ms * 1_000));
    await redis.rpush(`hookline:w:ip:${ip}`, ...stamps);
    return ip;
  }

  const admit = (ip: string): Promise<Admission> =>
    gateways[randomInt(3)]!.admit({ ip, keyHash: null, isContent: false });

  it('a full window lets through exactly what left it, however hard it is asked', async () => {
    const freeInMs = Array.from({ length: 300 }, (_, index) => (index < 150 ? 300 + index * 10 : 30_000));
    const { nowUs, beforeMs, afterMs } = await redisClock();
    const ip = await fill(freeInMs, nowUs);
    let admitted = 0;
    while (performance.now() < afterMs + 2_000) {
      const [sentMs, before] = [performance.now(), admitted];
      const answers = await Promise.all(Array.from({ length: 40 }, () => admit(ip)));
      const doneMs = performance.now();
      admitted += answers.filter(({ outcome }) => outcome === 'admitted').length;
      const freeBy = (ms: number): number => freeInMs.filter(free => free <= ms).length;
      // The round took everything that was free when it began, and nothing that was not free when it ended.
      expect(admitted).toBeGreaterThanOrEqual(Math.min(freeBy(sentMs - afterMs), before + 40));
      expect(admitted).toBeLessThanOrEqual(freeBy(doneMs - beforeMs));
    }
    expect(admitted).toBe(150);
  });

  it('a clock that stepped back makes nobody wait longer than the window', async () => {
    const { nowUs } = await redisClock();
    // The state after a failover to a host whose clock is an hour behind: every stamp is in the future.
    const ahead = await fill(
      Array.from({ length: 300 }, () => 60_000 + 3_600_000),
      nowUs,
    );
    expect((await admit(ahead)).outcome).toBe('admitted');
    // A step back by less than the window: the oldest stamps are still in the past.
    const partly = await fill(
      Array.from({ length: 300 }, (_, index) => (index < 150 ? 50_000 : 90_000)),
      nowUs,
    );
    const refused = await admit(partly);
    expect(refused.outcome).toBe('ip_limited');
    expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('Retry-After is true: a second less never succeeds, waiting it always does', async () => {
    const untrue: string[] = [];
    let early = 0;
    const sample = async (): Promise<void> => {
      const freeMs = randomInt(200, 3_500);
      const { nowUs, beforeMs } = await redisClock();
      const ip = await fill(
        Array.from({ length: 300 }, (_, index) => freeMs + index),
        nowUs,
      );
      const sentMs = performance.now();
      const refused = await admit(ip);
      const doneMs = performance.now();
      if (refused.outcome !== 'ip_limited') {
        // On a busy machine the round may last until the place is free.
        if (doneMs - beforeMs < freeMs) untrue.push(`let through ${freeMs} ms too soon`);
        return;
      }
      const toldMs = refused.retryAfterSeconds * 1_000;
      await delay(Math.max(0, sentMs + toldMs - 1_080 - performance.now()));
      const soon = await admit(ip);
      if (performance.now() <= sentMs + toldMs - 1_000) {
        early += 1;
        if (soon.outcome !== 'ip_limited') untrue.push(`${toldMs} ms told, a second less was enough`);
      }
      await delay(Math.max(0, doneMs + toldMs - performance.now()));
      if ((await admit(ip)).outcome !== 'admitted')
        untrue.push(`${toldMs} ms told and waited, refused again`);
    };
    await Promise.all(Array.from({ length: 200 }, sample));
    expect(untrue).toEqual([]);
    expect(early).toBeGreaterThan(50);
  });
});
