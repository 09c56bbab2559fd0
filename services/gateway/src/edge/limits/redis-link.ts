import { randomBytes } from 'node:crypto';
import { type Logger, recordCall } from '@hookline/shared/kernel';
// Types only: a gateway that runs alone counts in memory and never loads the library.
import type { Redis } from 'ioredis';
import { admitScript, outcomeOf, replaceScript, tombstone } from './redis-script.ts';

export type RedisLink = {
  readonly isUp: boolean;
  admit(keyCount: number, args: readonly (string | number)[]): Promise<string[]>;
  agesOf(names: readonly string[]): Promise<number[][]>;
  get(name: string): Promise<string | null>;
  set(name: string, value: string, lifetimeMs: number): Promise<void>;
  setIfAbsent(name: string, value: string, lifetimeMs: number): Promise<void>;
  replace(name: string, record: string, lifetimeMs: number, readAtUs: number): Promise<void>;
  close(): Promise<void>;
};

const probeEveryMs = 500;
const answerWithinMs = 500;
const ticksMax = 5;
const connectWithinMs = 2_000;
// A lost host sends no reset: without a new connection the kernel keeps retransmitting for about 15 min.
const failedProbesMax = 2;
// Errors of a server that cannot take writes. Its name may now resolve to another server.
const notWritable = /\b(READONLY|LOADING|MASTERDOWN|MOVED|CLUSTERDOWN)\b/;
const probeKey = `hookline:w:probe:${randomBytes(6).toString('hex')}`;
// The window in microseconds, and limits that a probe cannot reach. Counts one address and no key.
const probeArgs = [probeKey, 1_000_000, 1_000_000, 1, 1, '1'];

type ScriptedRedis = Redis & {
  hooklineReplace(
    name: string,
    record: string,
    lifetimeMs: number,
    except: string,
    readAtUs: number,
  ): Promise<null>;
  hooklineAdmit(keyCount: number, ...args: (string | number)[]): Promise<string[]>;
};

/** Resolves even when Redis cannot be reached: the gateway serves without it. */
export async function openRedisLink(url: string, log: Logger): Promise<RedisLink> {
  const redis = await createClient(url);
  const presence = watchPresence(redis, log);

  async function guarded<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await recordCall(answerInTime(work()), () => ({
        'db.system.name': 'redis',
        'db.operation.name': operation,
      }));
    } catch (error) {
      presence.lose(error);
      throw error;
    }
  }

  // A server that accepts and never answers must not delay the start.
  await answerWithin(connectWithinMs, redis.connect()).catch(presence.lose);
  redis.on('close', () => presence.lose(new Error('the connection was closed')));
  return {
    get isUp() {
      return presence.isUp;
    },
    admit: (keyCount, args) => guarded('admit', () => redis.hooklineAdmit(keyCount, ...args)),
    agesOf: names =>
      guarded('ages', async () => {
        const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
        const lists = await Promise.all(names.map(name => redis.lrange(name, 0, -1)));
        return lists.map(stamps =>
          stamps.map(stamp => (seconds * 1_000_000 + micros - Number(stamp)) / 1_000),
        );
      }),
    get: name => guarded('get', () => redis.get(name)),
    set: async (name, value, lifetimeMs) => {
      await guarded('set', () => redis.set(name, value, 'PX', lifetimeMs));
    },
    setIfAbsent: async (name, value, lifetimeMs) => {
      await guarded('set', () => redis.set(name, value, 'PX', lifetimeMs, 'NX'));
    },
    replace: async (name, record, lifetimeMs, readAtUs) => {
      await guarded('replace', () => redis.hooklineReplace(name, record, lifetimeMs, tombstone, readAtUs));
    },
    async close() {
      presence.close();
      redis.disconnect();
    },
  };
}

async function createClient(url: string): Promise<ScriptedRedis> {
  const ioredis = await import('ioredis');
  const redis = new ioredis.Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectWithinMs,
    // A backstop: the probes detect a silent peer within 3 s.
    socketTimeout: 10_000,
    disconnectTimeout: 500,
    keepAlive: 10_000,
    reconnectOnError: error => notWritable.test(error.message),
    retryStrategy: attempt => Math.min(100 * attempt, 1_000),
  }) as ScriptedRedis;
  redis.defineCommand('hooklineAdmit', { lua: admitScript });
  redis.defineCommand('hooklineReplace', { lua: replaceScript, numberOfKeys: 1 });
  // An outage is logged once; without a listener ioredis prints every attempt.
  redis.on('error', () => {});
  return redis;
}

/** Up until `lose` is called, then from the first probe that Redis answers. */
function watchPresence(redis: ScriptedRedis, log: Logger) {
  const presence = { isUp: true, lose, close };
  let isClosed = false;
  let probe: NodeJS.Timeout | undefined;
  let failedProbes = 0;

  function lose(error: unknown): void {
    if (!presence.isUp || isClosed) return;
    presence.isUp = false;
    failedProbes = 0;
    log.warn(
      { reason: (error as Error).message },
      'Redis does not answer: limits are kept in memory, divided by GATEWAY_REPLICAS; keys are read from Postgres',
    );
    scheduleProbe();
  }

  function scheduleProbe(): void {
    probe = setTimeout(async () => {
      const isBack = await answerInTime(write(redis)).catch(() => false);
      if (isClosed) return;
      if (!isBack) {
        failedProbes += 1;
        if (failedProbes % failedProbesMax === 0) dialAgain(redis);
        return scheduleProbe();
      }
      presence.isUp = true;
      log.info('Redis answers again: limits are exact');
    }, probeEveryMs).unref();
  }

  function close(): void {
    isClosed = true;
    clearTimeout(probe);
  }

  return presence;
}

/** Probes with the admission script, so that a replica or a read-only server does not count as up. */
async function write(redis: ScriptedRedis): Promise<boolean> {
  const [answer = ''] = await redis.hooklineAdmit(1, ...probeArgs);
  return outcomeOf(answer) === 'admitted';
}

/**
 * Drops the connection, even one stuck in its handshake. While connecting, `connectTimeout` applies
 * instead.
 */
function dialAgain(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}

function answerInTime<T>(answer: Promise<T>): Promise<T> {
  return answerWithin(answerWithinMs, answer);
}

/**
 * Counts timer ticks, not time: a paused process cannot read answers, so the pause must not make one late.
 */
function answerWithin<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = ticksMax;
    const ticking = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(ticking);
      // An answer that has already arrived is read first.
      setImmediate(() => reject(new Error(`no answer within ${limitMs} ms`)));
    }, limitMs / ticksMax);
    answer.then(resolve, reject).finally(() => clearInterval(ticking));
  });
}
