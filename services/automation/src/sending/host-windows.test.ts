import { describe, expect, it } from 'vitest';
import { burstMax, perSecondMax } from './endpoint-window.rules.ts';
import { createHostWindows, unprovenBurst, unprovenPerSecond } from './host-windows.ts';

function open() {
  let nowMs = 0;
  const windows = createHostWindows(() => nowMs);
  const takeAll = (host: string, webhookId = 'any'): number => {
    let taken = 0;
    while (windows.take(host, webhookId)) taken += 1;
    return taken;
  };
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { windows, takeAll, advance };
}

describe('createHostWindows', () => {
  it('a host that accepts nothing gets a burst of 16 and then 2 a second', () => {
    const { windows, takeAll, advance } = open();
    expect(takeAll('stranger.example')).toBe(unprovenBurst);
    for (let answer = 0; answer < unprovenBurst; answer += 1)
      windows.recordAnswer('stranger.example', 'any', false);
    let taken = 0;
    for (let second = 0; second < 60; second += 1) {
      advance(1_000);
      taken += takeAll('stranger.example');
    }
    expect(taken).toBe(60 * unprovenPerSecond);
  });

  it('a host that accepted once gets the rate of one endpoint, and another host its own', () => {
    const { windows, takeAll, advance } = open();
    takeAll('relay.example');
    windows.recordAnswer('relay.example', 'a', true);
    advance(10_000);
    expect(takeAll('relay.example', 'a')).toBe(burstMax);
    advance(100);
    expect(takeAll('relay.example', 'a')).toBe(perSecondMax / 10);
    expect(takeAll('other.example')).toBe(unprovenBurst);
  });

  it('a host is proven until seven failures in a row, and again after one success', () => {
    const { windows, takeAll, advance } = open();
    takeAll('relay.example');
    for (let round = 0; round < 20; round += 1) {
      windows.recordAnswer('relay.example', 'a', true);
      windows.recordAnswer('relay.example', 'b', false);
    }
    advance(1_000);
    const taken = takeAll('relay.example', 'new') + takeAll('relay.example', 'a');
    expect(taken).toBe(burstMax + unprovenPerSecond);
    for (let failure = 0; failure < 10; failure += 1) windows.recordAnswer('relay.example', 'b', false);
    advance(1_000);
    expect(takeAll('relay.example')).toBe(unprovenPerSecond);
    windows.recordAnswer('relay.example', 'a', true);
    advance(1_000);
    expect(takeAll('relay.example', 'a')).toBe(burstMax);
  });

  it('an endpoint that accepts waits for none of a hundred that fail on the same host', () => {
    const { windows, advance } = open();
    const host = 'relay.example';
    const failing = Array.from({ length: 100 }, (_, index) => `failing-${index}`);
    windows.recordAnswer(host, 'healthy', true);
    let sentToFailing = 0;
    let waits = 0;
    // A minute: each failing lane asks every 250 ms and is answered at once, the other has one a second.
    for (let quarter = 0; quarter < 240; quarter += 1) {
      for (const webhookId of failing) {
        if (!windows.take(host, webhookId)) continue;
        sentToFailing += 1;
        windows.recordAnswer(host, webhookId, false);
      }
      if (quarter % 4 === 0) {
        if (windows.take(host, 'healthy')) windows.recordAnswer(host, 'healthy', true);
        else waits += 1;
      }
      advance(250);
    }
    expect(waits).toBe(0);
    // Seven follow each success, and the trickle goes on.
    expect(sentToFailing).toBeLessThan(60 * (7 + unprovenPerSecond) + unprovenBurst + 10);
  });

  it('half of a burst is kept for endpoints that accepted, while many answers are awaited', () => {
    const { windows, takeAll } = open();
    windows.recordAnswer('relay.example', 'healthy', true);
    const taken = takeAll('relay.example', 'failing');
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(burstMax / 2 + unprovenBurst);
    expect(windows.take('relay.example', 'healthy')).toBe(true);
  });

  it('other endpoints get 2 a second while those that accept use up the rate of the host', () => {
    const { windows, takeAll, advance } = open();
    windows.recordAnswer('relay.example', 'healthy', true);
    let others = 0;
    for (let second = 0; second < 60; second += 1) {
      advance(1_000);
      takeAll('relay.example', 'healthy');
      others += takeAll('relay.example', 'new');
    }
    expect(others).toBeGreaterThanOrEqual(60 * unprovenPerSecond);
  });

  it('an endpoint that moves to another host has no place of its own there', () => {
    const { windows, takeAll } = open();
    windows.recordAnswer('own.example', 'moved', true);
    expect(takeAll('victim.example', 'moved')).toBe(unprovenBurst);
    windows.recordAnswer('own.example', 'moved', false);
    for (let failure = 0; failure < 10; failure += 1) windows.recordAnswer('own.example', 'other', false);
    takeAll('own.example', 'other');
    expect(windows.take('own.example', 'moved')).toBe(false);
  });
});
