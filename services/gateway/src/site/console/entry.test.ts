import { describe, expect, it } from 'vitest';
import { createConsoleEntry } from './entry.ts';

describe('the one-time link of npm start', () => {
  it('signs one person in, once; a wrong token changes nothing', () => {
    const entry = createConsoleEntry();
    expect(entry.use('')).toBeNull();
    const token = entry.open('maya@example.com');
    expect(entry.use(`${token}x`)).toBeNull();
    expect([entry.use(token), entry.use(token)]).toEqual(['maya@example.com', null]);
  });

  it('ends after 10 minutes, and when another takes its place', () => {
    let nowMs = 0;
    const entry = createConsoleEntry(() => nowMs);
    const first = entry.open('maya@example.com');
    const second = entry.open('maya@example.com');
    expect(entry.use(first)).toBeNull();
    nowMs = 600_000;
    expect(entry.use(second)).toBeNull();
    const third = entry.open('maya@example.com');
    nowMs += 599_999;
    expect(entry.use(third)).toBe('maya@example.com');
  });
});
