import { describe, expect, it } from 'vitest';
import { nextWindow, windowMax, windowStart } from './endpoint-window.ts';

describe('nextWindow', () => {
  it('doubles up to its bound while deliveries are taken', () => {
    let window = windowStart;
    const seen: number[] = [];
    for (let taken = 0; taken < 6; taken += 1) {
      window = nextWindow(window, true);
      seen.push(window);
    }
    expect(seen).toEqual([8, 16, 32, 64, windowMax, windowMax]);
  });

  it('falls to one at a failure, and grows again from there', () => {
    expect(nextWindow(windowMax, false)).toBe(1);
    expect(nextWindow(1, false)).toBe(1);
    expect(nextWindow(1, true)).toBe(2);
  });
});
