import { describe, expect, it } from 'vitest';
import { newId, timeOfId } from './ids.ts';

describe('newId', () => {
  it('is the prefix and at most 32 URL-safe characters', () => {
    for (let n = 0; n < 1_000; n += 1) expect(newId('content')).toMatch(/^content_[0-9a-z]{1,32}$/);
  });

  it('sorts by time, as text, to the millisecond and for ever', () => {
    const start = Date.UTC(2026, 10, 21);
    const times = [0, 1, start, start + 1, start + 31, start + 32, start + 1_000, Date.UTC(9999, 0)];
    const ids = times.map(time => newId('event', time));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('does not repeat within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('req', 1_763_712_000_000));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps one length, so that ids sort at any age', () => {
    const lengths = [0, 1, Date.now(), 2 ** 48 - 1].map(time => newId('key', time).length);
    expect(new Set(lengths)).toEqual(new Set(['key_'.length + 26]));
  });
});

describe('timeOfId', () => {
  it.each([0, 1, 31, 1_763_712_000_123, 2 ** 48 - 1])('returns the time of an id of %i ms', ms => {
    expect(timeOfId(newId('acct', ms)).getTime()).toBe(ms);
  });

  it.each(['', 'acct', 'acct_1', `acct_${'i'.repeat(26)}`])('throws for %j', id => {
    expect(() => timeOfId(id)).toThrow(RangeError);
  });
});
