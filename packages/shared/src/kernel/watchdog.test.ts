import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createServiceServer } from '../http/server.ts';
import { createLogger } from './logger.ts';
import { stuckWork, watchWork } from './watchdog.ts';
import { startWorkerLoop } from './worker-loop.ts';

const errors: unknown[] = [];
const log = {
  ...createLogger({ service: 'test', level: 'silent' }),
  error: (line: unknown) => errors.push(line),
};
const app = createServiceServer({
  log: createLogger({ level: 'silent' }),
  verifyCall: () => null,
  readiness: [],
});
const livez = async (): Promise<number> => (await app.inject({ url: '/livez' })).statusCode;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  errors.length = 0;
});

it('a round that does not end is logged once and fails /livez until it ends', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let rounds = 0;
  const loop = startWorkerLoop({
    ...{ name: 'endless', pollMs: 60_000, log: log as never },
    work: async () => {
      rounds += 1;
      return rounds === 1 ? await promise : false;
    },
  });
  // Many short pieces do not add up to a long one.
  for (let seconds = 0; seconds < 115; seconds += 5) {
    await watchWork('short', log, async () => vi.advanceTimersByTime(5_000));
  }
  expect([stuckWork(), await livez(), errors.length]).toEqual([[], 200, 0]);
  vi.advanceTimersByTime(5_000);
  expect([stuckWork(), await livez()]).toEqual([['endless'], 503]);
  vi.advanceTimersByTime(600_000);
  expect(errors).toEqual([{ worker: 'endless', seconds: 120 }]);
  resolve(false);
  await loop.stop();
  expect([stuckWork(), await livez()]).toEqual([[], 200]);
});

it('work that throws is over', async () => {
  const failing = watchWork('failing', log, async () => {
    vi.advanceTimersByTime(130_000);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(stuckWork()).toEqual([]);
});
