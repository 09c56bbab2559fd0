import { describe, expect, it } from 'vitest';
import { checkRevocations } from '../../kit/checks/check-revocations.ts';
import { checkWindows } from '../../kit/checks/check-windows.ts';
import { checkFailures, checkRetryAfter } from './check-answers.ts';
import type { Asked, Revoked } from './history.ts';

const limits = { ip: 300, key: 3, content: 10 };
let seq = 0;

/** A request of one key, sent at `sentMs` and answered 5 ms later. */
function asked(sentMs: number, status: number, more: Partial<Asked> = {}): Asked {
  seq += 1;
  const refusal = {
    code: 'rate_limited',
    message: 'Too many requests. Retry after 10s.',
    retryAfter: '10',
  };
  return {
    kind: 'asked',
    seq,
    part: 'x',
    gateway: 0,
    windows: ['key:k1'],
    sentMs,
    doneMs: sentMs + 5,
    status,
    after: null,
    ...(status === 429 ? refusal : { code: null, message: null, retryAfter: null }),
    ...more,
  };
}

const statuses = (times: number[], status = 200): Asked[] => times.map(atMs => asked(atMs, status));

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

describe('the checker of Retry-After', () => {
  const second = (sentMs: number, status: number, waited: 'as told' | 'a second less') => {
    const first = asked(0, 429);
    return checkRetryAfter([first, asked(sentMs, status, { after: { seq: first.seq, waited } })]);
  };

  it('finds a wait that did not help and a second less that did', () => {
    expect(second(10_005, 200, 'as told')).toMatchObject({ samples: 1, untrue: 0 });
    expect(second(10_005, 429, 'as told')).toMatchObject({ samples: 1, untrue: 1 });
    expect(second(8_990, 429, 'a second less')).toMatchObject({ samples: 1, untrue: 0 });
    expect(second(8_990, 200, 'a second less')).toMatchObject({ samples: 1, untrue: 1 });
  });

  it('leaves out what came at a time that shows nothing', () => {
    expect(second(10_004, 429, 'as told')).toMatchObject({ samples: 0, unclear: 1 });
    expect(second(8_996, 200, 'a second less')).toMatchObject({ samples: 0, unclear: 1 });
  });

  it('leaves out a wait whose place an early try took because it came late', () => {
    const first = asked(0, 429);
    const early = asked(8_996, 200, { after: { seq: first.seq, waited: 'a second less' } });
    const told = asked(10_005, 429, { after: { seq: first.seq, waited: 'as told' } });
    expect(checkRetryAfter([first, early, told])).toMatchObject({ samples: 0, untrue: 0, unclear: 2 });
  });

  it('finds another header or another text', () => {
    for (const wrong of [
      { retryAfter: null },
      { retryAfter: '0' },
      { message: 'Slow down' },
      { code: null },
    ]) {
      expect(checkRetryAfter([asked(0, 429, wrong)]).malformed).toBe(1);
    }
  });
});

describe('the checker of revocations', () => {
  const revoked: Revoked = {
    kind: 'revoked',
    part: 'x',
    gateway: 0,
    key: 'k1',
    sentMs: 100,
    doneMs: 200,
    status: 200,
  };

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

it('failures are 5xx and silence, of the parts asked for', () => {
  const lines = [asked(0, 503), asked(0, 0), asked(0, 429), asked(0, 200, { part: 'y' })];
  expect(checkFailures(lines, ['x'])).toMatchObject({ asked: 3, failed: 2 });
});
