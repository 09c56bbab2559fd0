import { describe, expect, it } from 'vitest';
import { nextWindow, sendingMax, windowMax, windowStart } from './endpoint-window.rules.ts';

describe('nextWindow', () => {
  it('a window doubles up to its maximum while deliveries are accepted', () => {
    let window = windowStart;
    const seen: number[] = [];
    for (let taken = 0; taken < 6; taken += 1) {
      window = nextWindow(window, true, 20);
      seen.push(window);
    }
    expect(seen).toEqual([8, 16, 32, 64, windowMax, windowMax]);
  });

  it('a window falls to one at a failure, and grows again from there', () => {
    expect(nextWindow(windowMax, false, 20)).toBe(1);
    expect(nextWindow(1, false, 20)).toBe(1);
    expect(nextWindow(1, true, 20)).toBe(2);
  });

  it('the window of an endpoint that answers slowly ends at what it gets at a time', () => {
    expect(nextWindow(windowMax, true, 251)).toBe(sendingMax);
    expect(nextWindow(2, true, 5_000)).toBe(4);
  });
});
