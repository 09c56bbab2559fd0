import { describe, expect, it } from 'vitest';
import { burstMax, perSecondMax } from '../../rules/endpoint-window.ts';
import { createHostWindows, unprovenBurst, unprovenPerSecond } from './host-windows.ts';

function open() {
  let nowMs = 0;
  const windows = createHostWindows(() => nowMs);
  const takeAll = (host: string): number => {
    let taken = 0;
    while (windows.take(host)) taken += 1;
    return taken;
  };
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { windows, takeAll, advance };
}

describe('createHostWindows', () => {
  it('gives a host that takes nothing a burst and then a trickle', () => {
    const { windows, takeAll, advance } = open();
    expect(takeAll('stranger.example')).toBe(unprovenBurst);
    for (let answer = 0; answer < unprovenBurst; answer += 1) windows.recordAnswer('stranger.example', false);
    let taken = 0;
    for (let second = 0; second < 60; second += 1) {
      advance(1_000);
      taken += takeAll('stranger.example');
    }
    expect(taken).toBe(60 * unprovenPerSecond);
  });

  it('gives a host that answered once what one endpoint gets, and another host its own', () => {
    const { windows, takeAll, advance } = open();
    takeAll('relay.example');
    windows.recordAnswer('relay.example', true);
    advance(10_000);
    expect(takeAll('relay.example')).toBe(burstMax);
    advance(100);
    expect(takeAll('relay.example')).toBe(perSecondMax / 10);
    expect(takeAll('other.example')).toBe(unprovenBurst);
  });

  it('is proven while most endpoints of a relay take theirs, and after one success again', () => {
    const { windows, takeAll, advance } = open();
    takeAll('relay.example');
    for (let round = 0; round < 20; round += 1) {
      windows.recordAnswer('relay.example', true);
      windows.recordAnswer('relay.example', false);
    }
    advance(1_000);
    expect(takeAll('relay.example')).toBe(burstMax);
    for (let failure = 0; failure < 10; failure += 1) windows.recordAnswer('relay.example', false);
    advance(1_000);
    expect(takeAll('relay.example')).toBe(unprovenPerSecond);
    windows.recordAnswer('relay.example', true);
    advance(1_000);
    expect(takeAll('relay.example')).toBe(burstMax);
  });
});
