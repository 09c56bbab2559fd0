import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../kernel/index.ts';
import {
  attemptDelivery,
  type DeliveryHooks,
  type DeliveryProgress,
  faultsMax,
  passingMaxMs,
  retryAfterMs,
} from './delivery.ts';
import { type BusMessage, PoisonMessageError, RetryLaterError } from './port.ts';

const message = {
  topic: 'content.jobs',
  key: 'job_1',
  value: '{}',
  headers: { traceparent: '00-a-b-01' },
  partition: 2,
  offset: '9007199254740993',
};

type Given = {
  handler: () => Promise<void>;
  publishDeadLetter?: (deadLetter: BusMessage) => Promise<void>;
  hooks?: DeliveryHooks;
};

/** Makes attempts like an adapter, without the waits; returns the number of attempts until it was settled. */
async function attemptUntilSettled(given: Given, attemptsMax = 50): Promise<number> {
  let progress: DeliveryProgress | undefined;
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const outcome = await attemptDelivery({
      group: 'content.test',
      message,
      publishDeadLetter: async () => {},
      ...given,
      ...(progress && { progress }),
    });
    if (outcome.settled) return attempts;
    progress = outcome.progress;
  }
  return Number.POSITIVE_INFINITY;
}

describe('attemptDelivery', () => {
  it.each([
    ['poison is dead-lettered at the first attempt', new PoisonMessageError('no'), 1],
    ['an error of the handler is dead-lettered at the fourth', new TypeError('x'), faultsMax],
    ['a thrown undefined counts as an error', undefined, faultsMax],
    ['a thrown text counts as an error', 'text', faultsMax],
    ['RetryLaterError is never dead-lettered', new RetryLaterError('away'), Number.POSITIVE_INFINITY],
    [
      'a lost database connection is never dead-lettered',
      Object.assign(new Error('gone'), { code: '57P01' }),
      Number.POSITIVE_INFINITY,
    ],
  ])('%s', async (_, thrown, attempts) => {
    const deadLetters: BusMessage[] = [];
    const settledAfter = await attemptUntilSettled({
      handler: async () => {
        throw thrown;
      },
      publishDeadLetter: async deadLetter => {
        deadLetters.push(deadLetter);
      },
    });
    expect(settledAfter).toBe(attempts);
    expect(deadLetters).toHaveLength(Number.isFinite(attempts) ? 1 : 0);
  });

  it.each(['57014', '55P03', '40P01', '40001', '25P03', '25P04'])(
    'what Postgres says with %s is retried for 24 h, then dead-lettered',
    async code => {
      const error = Object.assign(new pg.DatabaseError('canceled', 0, 'error'), { code });
      const deadLetters: BusMessage[] = [];
      const attempt = (before: DeliveryProgress) =>
        attemptDelivery({
          ...{ group: 'content.test', message, progress: before },
          handler: async () => {
            throw error;
          },
          publishDeadLetter: async deadLetter => void deadLetters.push(deadLetter),
        });
      // An old message is not given up at its first fault of the kind.
      const old = new Date(Date.now() - 2 * passingMaxMs);
      const first = await attempt({ attempts: 9, faults: 0, firstAt: old, lastAt: old });
      if (first.settled) throw new Error('given up');
      const since = (ms: number) => ({ ...first.progress, passingSince: new Date(Date.now() - ms) });
      expect(await attempt(since(passingMaxMs - 60_000))).toMatchObject({ settled: false });
      expect(deadLetters).toHaveLength(0);
      expect(await attempt(since(passingMaxMs + 1))).toEqual({ settled: true });
      expect(deadLetters).toHaveLength(1);
    },
  );

  it('the 24 h of an event go on in the next process, which gives it an hour', async () => {
    const error = Object.assign(new pg.DatabaseError('canceled', 0, 'error'), { code: '57014' });
    const attempt = async (ageMs: number, faultyMs: number) => {
      const now = new Date();
      const headers = { ...message.headers, ce_time: new Date(now.getTime() - ageMs).toISOString() };
      const passingSince = new Date(now.getTime() - faultyMs);
      const { settled } = await attemptDelivery({
        ...{ group: 'content.test', message: { ...message, headers } },
        handler: async () => {
          throw error;
        },
        publishDeadLetter: async () => {},
        progress: { attempts: 9, faults: 0, firstAt: passingSince, lastAt: passingSince, passingSince },
      });
      return settled;
    };
    expect(await attempt(passingMaxMs + 1, hourMs + 1)).toBe(true);
    expect(await attempt(passingMaxMs + 1, hourMs - 60_000)).toBe(false);
    expect(await attempt(passingMaxMs - 60_000, hourMs + 1)).toBe(false);
  });

  it('faults around the handler do not count towards the four attempts', async () => {
    const errors = [
      new RetryLaterError(''),
      new Error('1'),
      new RetryLaterError(''),
      new Error('2'),
      new Error('3'),
    ];
    let deadLetters = 0;
    const settledAfter = await attemptUntilSettled({
      handler: async () => {
        const error = errors.shift();
        if (error) throw error;
      },
      publishDeadLetter: async () => {
        deadLetters += 1;
      },
    });
    expect([settledAfter, deadLetters]).toEqual([6, 0]);
  });

  it('a dead letter that cannot be written leaves the message unsettled and the handler uncalled', async () => {
    let calls = 0;
    let writes = 0;
    let deadLetter: BusMessage | undefined;
    const settledAfter = await attemptUntilSettled({
      handler: async () => {
        calls += 1;
        throw new PoisonMessageError('no');
      },
      publishDeadLetter: async written => {
        writes += 1;
        if (writes < 4) throw new Error('the bus is away');
        deadLetter = written;
      },
    });
    expect([settledAfter, calls, writes]).toEqual([4, 1, 4]);
    expect(deadLetter?.headers).toMatchObject({ dlq_attempts: '1', dlq_error_class: 'PoisonMessageError' });
  });

  it('hooks that throw change nothing', async () => {
    const broken = (): never => {
      throw new Error('metrics are broken');
    };
    const handler = async (): Promise<void> => {
      throw new Error('no');
    };
    expect(await attemptUntilSettled({ handler, hooks: { onRetry: broken, onDeadLetter: broken } })).toBe(4);
  });

  it('the error message in a dead letter is one short line without a stack', async () => {
    const written: BusMessage[] = [];
    await attemptDelivery({
      group: 'content.test',
      message,
      handler: async () => {
        throw new PoisonMessageError(`first\n    at secret (/home/x.ts:1)${' long'.repeat(200)}`);
      },
      publishDeadLetter: async deadLetter => {
        written.push(deadLetter);
      },
    });
    expect(written[0]?.topic).toBe('content.jobs.dlq');
    const text = written[0]?.headers.dlq_error_message ?? '';
    expect(text).toMatch(/^first at secret/);
    expect(text.length).toBeLessThanOrEqual(300);
  });
});

describe('retryAfterMs', () => {
  it('grows from 200 ms to 5 s and never beyond, at least half the step', () => {
    const steps = [200, 400, 800, 1_600, 3_200, 5_000, 5_000];
    for (const [index, stepMs] of steps.entries()) {
      const waitMs = retryAfterMs(index + 1);
      expect(waitMs).toBeLessThanOrEqual(stepMs);
      expect(waitMs).toBeGreaterThanOrEqual(stepMs / 2);
    }
    expect(retryAfterMs(1_000_000)).toBeLessThanOrEqual(5_000);
  });
});
