import { describe, expect, it } from 'vitest';
import { toRetryAfterSeconds } from './admission.ts';
import { createWindows } from './windows.ts';

/** Deterministic numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe('windows', () => {
  it('lets exactly the limit through in every 60 s, and never fewer', () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = seeded(seed);
      const limit = 1 + Math.floor(random() * 12);
      const windows = createWindows();
      const passed: number[] = [];
      let now = 0;
      for (let step = 0; step < 2_000; step += 1) {
        now += random() < 0.3 ? random() * 20_000 : random() * 50;
        const inWindow = passed.filter(at => at > now - 60_000).length;
        const isFree = windows.waitMs('a', limit, now) === 0;
        expect(isFree).toBe(inWindow < limit);
        if (!isFree) continue;
        windows.take('a', limit, now);
        passed.push(now);
      }
    }
  });

  it('counts the requests of the last 60 s, also after the ring has turned', () => {
    const windows = createWindows();
    for (const at of [0, 10_000, 20_000, 70_000]) windows.take('a', 3, at);
    expect(windows.usage('a', 71_000)).toEqual({ used: 2, resetsInMs: 9_000 });
    expect(windows.usage('a', 130_000)).toEqual({ used: 0, resetsInMs: null });
    expect(windows.usage('b', 0)).toEqual({ used: 0, resetsInMs: null });
  });

  it('Retry-After is true: waiting it succeeds, a second less does not', () => {
    const random = seeded(7);
    const windows = createWindows();
    let now = 0;
    let refusals = 0;
    for (let step = 0; step < 3_000; step += 1) {
      now += random() * 3_000;
      const waitMs = windows.waitMs('a', 10, now);
      if (waitMs === 0) {
        windows.take('a', 10, now);
        continue;
      }
      refusals += 1;
      const seconds = toRetryAfterSeconds(waitMs);
      expect(windows.waitMs('a', 10, now + seconds * 1000)).toBe(0);
      if (seconds > 1) expect(windows.waitMs('a', 10, now + (seconds - 1) * 1000)).toBeGreaterThan(0);
    }
    expect(refusals).toBeGreaterThan(100);
  });

  it('names do not touch each other', () => {
    const windows = createWindows();
    windows.take('a', 1, 0);
    expect(windows.waitMs('a', 1, 1)).toBe(59_999);
    expect(windows.waitMs('b', 1, 1)).toBe(0);
  });

  it('forgets what no longer counts, and the name used longest ago when too many are held', () => {
    const windows = createWindows(2);
    windows.take('a', 1, 0);
    windows.take('b', 1, 1);
    windows.take('c', 1, 2);
    expect(windows.size).toBe(2);
    expect(windows.waitMs('a', 1, 3)).toBe(0);
    windows.take('c', 1, 60_001);
    expect(windows.size).toBe(1);
  });
});
