import { describe, expect, it } from 'vitest';
import { newId, timeOfId } from './ids.ts';
import { deriveId } from './rules/derive-id.ts';

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

describe('deriveId', () => {
  it('stays the same for ever, since rows and events of earlier years carry it', () => {
    expect(deriveId('content', 'firing_1')).toBe('content_39ygpdp8g5ey6jptmg26er92qx');
  });

  it('looks like any other id', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const id = deriveId('firing', String(n));
      expect(id).toMatch(/^firing_[0-9a-hjkmnp-tv-z]+$/);
      expect(id).toHaveLength(newId('firing').length);
    }
  });

  it('differs with every part and with where one ends', () => {
    const parts = [['a'], ['b'], ['a', 'b'], ['ab'], ['', 'ab'], ['a', '', 'b'], ['a"', '"b'], ['a","b']];
    const ids = parts.map(given => deriveId('firing', ...given));
    expect(new Set(ids).size).toBe(parts.length);
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
