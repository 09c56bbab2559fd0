import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { createShutdown, shutdownPhases } from './shutdown.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const soon = () => new Promise<void>(resolve => setImmediate(resolve));

describe('shutdown', () => {
  it('runs the phases in their order, whatever the order of registration; one phase ends before the next', async () => {
    const shutdown = createShutdown(log);
    const seen: string[] = [];
    for (const phase of shutdownPhases.toReversed()) {
      shutdown.add(phase, phase, async () => {
        seen.push(`${phase} begins`);
        await soon();
        seen.push(`${phase} ends`);
      });
    }
    await shutdown.run();
    const order = ['door', 'requests', 'workers', 'bus', 'stores', 'telemetry'];
    expect(seen).toEqual(order.flatMap(phase => [`${phase} begins`, `${phase} ends`]));
  });

  it('leaves a step behind that hangs, and goes on after the limit', async () => {
    const shutdown = createShutdown(log, 60);
    const seen: string[] = [];
    shutdown.add('workers', 'hangs', () => new Promise(() => {}));
    shutdown.add('workers', 'ends', async () => {
      seen.push('workers');
    });
    shutdown.add('stores', 'database', async () => {
      seen.push('stores');
    });
    const began = performance.now();
    await shutdown.run();
    expect(seen).toEqual(['workers', 'stores']);
    expect(performance.now() - began).toBeGreaterThanOrEqual(25);
  });

  it('an early phase may use the time that the later ones need not have, and no more', async () => {
    const shutdown = createShutdown(log, 300);
    const hang = () => new Promise<void>(() => {});
    for (const phase of shutdownPhases) shutdown.add(phase, 'hangs', hang);
    let workersBeginMs = Number.NaN;
    shutdown.add('workers', 'polls', async () => {
      workersBeginMs = performance.now() - beganMs;
    });
    const beganMs = performance.now();
    await shutdown.run();
    const tookMs = performance.now() - beganMs;
    // The first takes 170 of 300 ms, every later one its reserved 20, the bus 50.
    expect(workersBeginMs).toBeGreaterThanOrEqual(180);
    expect(tookMs).toBeGreaterThanOrEqual(290);
    expect(tookMs).toBeLessThan(5_000);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('goes on when a step %s', async (_, stop) => {
    const shutdown = createShutdown(log);
    let isClosed = false;
    shutdown.add('requests', 'broken', stop);
    shutdown.add('stores', 'database', async () => {
      isClosed = true;
    });
    await shutdown.run();
    expect(isClosed).toBe(true);
  });

  it('stops everything once, however often it is asked', async () => {
    const shutdown = createShutdown(log);
    let stops = 0;
    shutdown.add('bus', 'bus', async () => {
      stops += 1;
    });
    await Promise.all([shutdown.run(), shutdown.run()]);
    await shutdown.run();
    expect(stops).toBe(1);
  });
});
