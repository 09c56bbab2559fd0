/** The connection to Redis: tells whether it can be used now, and finds out by itself when it can again. */
import type { Logger } from '@hookline/shared/logger';
import { Redis } from 'ioredis';
import { admitScript } from './redis-script.ts';

export type RedisLink = {
  readonly isUp: boolean;
  /** Runs the admission script. @throws Error when Redis does not answer in time; the link is down then. */
  admit(keyCount: number, args: readonly (string | number)[]): Promise<string[]>;
  set(name: string, value: string, lifetimeMs: number): Promise<void>;
  close(): Promise<void>;
};

const probeEveryMs = 500;
const answerWithinMs = 500;
const ticksMax = 5;

type ScriptedRedis = Redis & {
  hooklineAdmit(keyCount: number, ...args: (string | number)[]): Promise<string[]>;
};

/** Resolves even when Redis is away: the gateway serves without it. */
export async function openRedisLink(url: string, log: Logger): Promise<RedisLink> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: attempt => Math.min(100 * attempt, 1_000),
  }) as ScriptedRedis;
  redis.defineCommand('hooklineAdmit', { lua: admitScript });
  // Told once by `lose`; without a listener ioredis prints every attempt.
  redis.on('error', () => {});
  let isUp = true;
  let isClosed = false;
  let probe: NodeJS.Timeout | undefined;

  function lose(error: unknown): void {
    if (!isUp || isClosed) return;
    isUp = false;
    log.warn(
      { reason: (error as Error).message },
      'Redis does not answer: limits are kept in memory, divided by GATEWAY_REPLICAS; keys are read from Postgres',
    );
    scheduleProbe();
  }

  function scheduleProbe(): void {
    probe = setTimeout(async () => {
      const isBack = await answerInTime(redis.ping()).then(
        () => true,
        () => false,
      );
      if (isClosed) return;
      if (!isBack) return scheduleProbe();
      isUp = true;
      log.info('Redis answers again: limits are exact');
    }, probeEveryMs);
    probe.unref();
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await answerInTime(work());
    } catch (error) {
      lose(error);
      throw error;
    }
  }

  await redis.connect().catch(lose);
  redis.on('close', () => lose(new Error('the connection was closed')));
  return {
    get isUp() {
      return isUp;
    },
    admit: (keyCount, args) => guarded(() => redis.hooklineAdmit(keyCount, ...args)),
    set: async (name, value, lifetimeMs) => {
      await guarded(() => redis.set(name, value, 'PX', lifetimeMs));
    },
    async close() {
      isClosed = true;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}

/** Counts time in ticks that really ran: while this process stands still, no answer can be read, and none is late. */
function answerInTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = ticksMax;
    const ticking = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(ticking);
      // What has arrived meanwhile is read first.
      setImmediate(() => reject(new Error(`no answer within ${answerWithinMs} ms`)));
    }, answerWithinMs / ticksMax);
    answer.then(resolve, reject).finally(() => clearInterval(ticking));
  });
}
