import { describe, expect, it } from 'vitest';
import { windowStart } from './window.rules.ts';

describe('windowStart', () => {
  const now = new Date('2026-11-21T23:59:59.999Z');

  it('is the midnight before with one day', () => {
    expect(windowStart(now, 1).toISOString()).toBe('2026-11-21T00:00:00.000Z');
  });

  it('counts the current day as one of thirty', () => {
    expect(windowStart(now, 30).toISOString()).toBe('2026-10-23T00:00:00.000Z');
  });

  it('moves at midnight UTC', () => {
    expect(windowStart(new Date('2026-11-22T00:00:00.000Z'), 1).toISOString()).toBe(
      '2026-11-22T00:00:00.000Z',
    );
  });
});
