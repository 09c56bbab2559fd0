import type { Hookline, HooklineEvent } from '@hookline/sdk';
import { expect, it } from 'vitest';
import { follow, sinceOf, subjectOf } from './feed.ts';

const now = new Date('2026-11-22T18:41:00Z');

it.each([
  [undefined, '2026-11-22T18:41:00.000Z'],
  ['now', '2026-11-22T18:41:00.000Z'],
  ['10m', '2026-11-22T18:31:00.000Z'],
  ['beginning', '1970-01-01T00:00:00.000Z'],
])('events since %s are those from %s on', (text, expected) => {
  expect(sinceOf(text, now).toISOString()).toBe(expected);
});

it('what happens while earlier events are read is new', async () => {
  const event = (id: string, timestamp: string) => ({ id, timestamp }) as unknown as HooklineEvent;
  const data = [event('before', '2026-11-22T18:40:59Z'), event('meanwhile', '2026-11-22T18:41:02Z')];
  const client = { events: { list: () => ({ page: async () => ({ data, nextCursor: 'c' }) }) } };
  const end = new AbortController();
  const seen: string[] = [];
  await follow(
    client as unknown as Hookline,
    sinceOf(undefined, now),
    end.signal,
    async ({ id }) => void seen.push(id),
    () => end.abort(),
    () => undefined,
  );
  expect(seen).toEqual(['meanwhile']);
});

it('the subject of an event is safe to print', () => {
  const data = { id: 'content_1', result: { hook: 'A\u001b]0;owned\u0007 hook\u202e' } };
  expect(subjectOf({ data } as unknown as HooklineEvent)).toBe('content_1  A]0;owned hook');
});
