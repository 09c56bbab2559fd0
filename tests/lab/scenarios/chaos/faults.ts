/** The faults injected into the running product, and how many of them took effect. */

import { setTimeout as wait } from 'node:timers/promises';
import type { KafkaProcess } from '../../../../tools/infra/src/kafka.ts';
import { type Disturbance, disturb } from '../../kit/faults/disturb.ts';
import { services } from '../../kit/product/stack.ts';
import type { Recorder } from '../../kit/run/history.ts';
import { epochMs } from './clock.ts';
import { type Ground, limits } from './ground.ts';
import type { ChaosLine } from './history.ts';

export type Faults = {
  disturbance: Disturbance;
  /** Number of strikes of each kind. */
  counts: Record<string, number>;
  /** Ends lasting faults; resolves when every replica runs again. */
  heal(): Promise<void>;
};

type Fault = { what: string; strike(): Promise<unknown> };

const killEveryMs = 2_000;
/** Half of the ten replicas stay ready: on a slow machine none would be left to do the work to disturb. */
const readyMin = 5;
const faultEveryMs = 20_000;
const stopForMs = 15_000;
const awayForMs = 8_000;
const latencyMs = 2_000;
const clockStepMs = 5 * 60_000;
/** Time from Redis's return until every gateway counts there again. */
const exactAgainMs = 5_000;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** 10 % of the posts are accepted and the answer is dropped. */
export const platformFaults = [
  { platform: 'tiktok', operation: 'content_init', kind: 'accepted_answer_dropped', share: 0.1 },
];

/** @param runMs a run too short for one fault of each kind every 20 s has them closer together */
export function beginFaults(ground: Ground, runMs: number, recorder: Recorder<ChaosLine>): Faults {
  const note = (what: string, whom = ''): void => recorder.write({ kind: 'fault', what, whom });
  const disturbance = disturb(ground.stack.product, {
    services,
    killEveryMs,
    readyMin,
    onFault: (what, _pid, service) => note(what, service),
  });
  const kinds = faultsOf(ground, disturbance, note, recorder);
  const everyMs = Math.min(faultEveryMs, runMs / (kinds.length + 0.5));
  const counts: Record<string, number> = {};
  const lasting = new Set<Promise<unknown>>();
  let isOver = false;

  async function strikeOn(): Promise<void> {
    let left: Fault[] = [];
    while (!isOver) {
      await wait(everyMs / 2);
      if (isOver) return;
      if (left.length === 0) left = kinds.toSorted(() => Math.random() - 0.5);
      const fault = left.pop() as Fault;
      counts[fault.what] = (counts[fault.what] ?? 0) + 1;
      const striking = fault.strike().finally(() => lasting.delete(striking));
      lasting.add(striking);
      await wait(everyMs / 2);
    }
  }

  const striking = strikeOn();
  return {
    disturbance,
    counts,
    async heal() {
      isOver = true;
      await striking;
      await Promise.all(lasting);
      await disturbance.heal();
    },
  };
}

function faultsOf(
  ground: Ground,
  disturbance: Disturbance,
  note: (what: string, whom?: string) => void,
  recorder: Recorder<ChaosLine>,
): Fault[] {
  const { kafka, kafkaWays, postgresWays, redis } = ground;
  let lastBroker: Promise<void> = Promise.resolve();
  const killBroker = async (broker: KafkaProcess): Promise<void> => {
    note('broker killed', broker.brokers);
    await broker.kill();
    await wait(awayForMs);
    await broker.restart();
    note('broker is back', broker.brokers);
  };
  return [
    { what: 'replica stopped', strike: () => disturbance.stopOne(stopForMs) },
    {
      what: 'Redis killed',
      async strike() {
        note('Redis killed');
        const sinceMs = epochMs(performance.now());
        await redis.kill();
        await wait(awayForMs);
        await redis.restart();
        note('Redis is back');
        const untilMs = epochMs(performance.now()) + exactAgainMs;
        recorder.write({ kind: 'alone', sinceMs, untilMs, hasRedisForgotten: true });
      },
    },
    {
      what: 'Postgres restarted at once',
      async strike() {
        note('Postgres restarted at once');
        await ground.restartPostgres();
        note('Postgres is back');
      },
    },
    {
      what: 'brokers cut off',
      async strike() {
        note('brokers cut off');
        for (const way of kafkaWays) way.cut();
        await wait(awayForMs);
        for (const way of kafkaWays) way.mend();
        note('brokers reached again');
      },
    },
    {
      what: 'broker killed',
      // One after the other: with two of three down nothing can be written.
      strike: () => (lastBroker = lastBroker.then(() => killBroker(pick(kafka.members)))),
    },
    {
      what: 'one-way partition',
      async strike() {
        const { service, replica, way } = pick(postgresWays);
        note('answers of Postgres held back', `${service} ${replica}`);
        way.freeze('answers');
        await wait(awayForMs);
        way.mend();
        note('answers pass again', `${service} ${replica}`);
      },
    },
    {
      what: 'database host lost',
      async strike() {
        // As after a fail-over: existing connections receive nothing more, new ones reach the new host.
        const service = pick(services);
        note('host of Postgres lost', service);
        for (const one of postgresWays) if (one.service === service) one.way.lose();
        await wait(awayForMs);
      },
    },
    {
      what: 'broker hosts lost',
      async strike() {
        note('hosts of the brokers lost');
        for (const way of kafkaWays) way.lose();
        await wait(awayForMs);
      },
    },
    {
      what: 'latency',
      async strike() {
        const service = pick(services);
        const ways = postgresWays.filter(one => one.service === service).map(({ way }) => way);
        note(`Postgres answers ${latencyMs} ms later`, service);
        // Existing connections have no toxic, so they are reopened.
        for (const way of ways) {
          way.cut();
          way.mend();
          way.poison([{ kind: 'latency', delayMs: latencyMs, share: 1 }]);
        }
        await wait(awayForMs);
        for (const way of ways) {
          way.cut();
          way.mend();
        }
        note('Postgres answers at once again', service);
      },
    },
    {
      what: 'clock step',
      async strike() {
        const replica = pick(postgresWays);
        const skewMs = Math.random() < 0.5 ? clockStepMs : -clockStepMs;
        const whom = `${replica.service} ${replica.replica}`;
        note(`clock stepped by ${skewMs} ms`, whom);
        ground.setClock(replica, skewMs);
        await wait(awayForMs);
        ground.setClock(replica, 0);
        note('clock right again', whom);
      },
    },
  ];
}

/** With fewer the run proves nothing. */
export function leastFaults(runMs: number): Record<string, number> {
  const least = (perMinute: number): number => Math.ceil((perMinute * runMs) / 60_000);
  const cycles = Math.max(1, Math.floor(runMs / (10.5 * faultEveryMs)));
  return {
    kills: least(12),
    'replica stopped': cycles,
    'Redis killed': cycles,
    'Postgres restarted at once': cycles,
    'brokers cut off': cycles,
    'broker killed': cycles,
    'one-way partition': cycles,
    'database host lost': cycles,
    'broker hosts lost': cycles,
    latency: cycles,
    'clock step': cycles,
    'answers dropped': least(2),
    'requests refused by a limit': least(50),
    'requests sent after a revocation': least(30),
    deliveries: least(500),
    slots: 10,
    // A limit is only tested when it is nearly reached; a few of those that passed are not certain to fall
    // into one minute.
    'most requests of a key in 60 s': Math.floor(0.9 * limits.key),
  };
}
