import { describe, expect, it } from 'vitest';
import { checkRevocations } from './check-revocations.ts';
import { type Counted, checkWindows } from './check-windows.ts';

const limits = { ip: 300, key: 3, content: 10 };

/** A request of one key, sent at `sentMs` and answered 5 ms later. */
const asked = (sentMs: number, status: number): Counted => ({
  windows: ['key:k1'],
  sentMs,
  doneMs: sentMs + 5,
  status,
});

const statuses = (times: number[], status = 200): Counted[] => times.map(atMs => asked(atMs, status));

describe('the checker of windows', () => {
  it('finds the one request too many, over every edge', () => {
    expect(checkWindows(statuses([0, 10, 20]), limits)).toMatchObject({ over: 0, most: { key: 3 } });
    expect(checkWindows(statuses([0, 10, 20, 59_990]), limits).over).toBe(1);
    expect(checkWindows(statuses([50_000, 59_000, 61_000, 109_000]), limits).over).toBe(1);
  });

  it('says nothing of what may have been a minute apart', () => {
    expect(checkWindows(statuses([0, 10, 20, 59_996]), limits).over).toBe(0);
    expect(checkWindows(statuses([0, 10, 20, 60_001]), limits)).toMatchObject({ over: 0, refilled: 1 });
  });

  it('finds a refusal before the window was full, and after a place was free', () => {
    expect(checkWindows([...statuses([0, 10]), asked(20, 429)], limits).under).toBe(1);
    expect(checkWindows([...statuses([0, 10, 20]), asked(30, 429)], limits).under).toBe(0);
    expect(checkWindows([...statuses([0, 10, 20]), asked(60_010, 429)], limits).under).toBe(1);
  });

  it('does not count a refused request, and counts one without an answer perhaps', () => {
    expect(checkWindows([...statuses([0, 10]), asked(12, 429), asked(20, 429)], limits).under).toBe(2);
    expect(checkWindows([...statuses([0, 10]), asked(12, 503), asked(20, 429)], limits)).toMatchObject({
      over: 0,
      under: 0,
    });
  });
});

describe('the checker of revocations', () => {
  const revoked = { key: 'k1', sentMs: 100, doneMs: 200, status: 200 };

  it('finds what was accepted after the answer, and only that', () => {
    const lines = [asked(199, 200), asked(201, 401), asked(202, 200)];
    expect(checkRevocations([revoked], lines)).toMatchObject({
      sentAfter: 2,
      acceptedAfter: 1,
      acceptedDuring: 1,
    });
  });

  it('a DELETE without an answer promised nothing', () => {
    expect(checkRevocations([{ ...revoked, status: 503 }], [asked(300, 200)]).sentAfter).toBe(0);
  });
});
