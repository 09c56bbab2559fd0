import { type Hookline, HooklineError, type HooklineEvent } from '@hookline/sdk';
import { expect, it } from 'vitest';
import { follow, sinceOf, subjectOf } from './feed.ts';

const now = new Date('2026-11-22T18:41:00Z');

it.each([
  [undefined, undefined],
  ['now', undefined],
  ['10m', '2026-11-22T18:31:00.000Z'],
  ['beginning', '1970-01-01T00:00:00.000Z'],
])('events since %s are those from %s on', (text, expected) => {
  expect(sinceOf(text, now)?.toISOString()).toBe(expected);
});

/** A thousand events, one a minute until now, of which pages are read. */
function longFeed() {
  const events = Array.from({ length: 1_000 }, (_, at) => ({
    id: String(at + 1),
    timestamp: new Date(now.getTime() - (999 - at) * 60_000).toISOString(),
  }));
  const asked: string[] = [];
  const list = ({ order = 'oldest', limit = 0 }) => ({
    page: async (cursor?: string) => {
      asked.push(`${order} ${cursor}`);
      const from = Number(cursor ?? (order === 'newest' ? events.length + 1 : 0));
      const newer = events.slice(from, from + limit);
      const older = events.slice(Math.max(0, from - 1 - limit), from - 1).reverse();
      const data = order === 'newest' ? older : newer;
      const nextCursor = (order === 'newest' ? older[0] : newer.at(-1))?.id ?? cursor;
      return { data, nextCursor, previousCursor: older.at(-1)?.id ?? null };
    },
  });
  const happen = (id: string): void => void events.push({ id, timestamp: '2020-01-01T00:00:00Z' });
  return { client: { events: { list } } as unknown as Hookline, asked, happen };
}

it.each([
  [undefined, 2, []],
  ['120m', 6, Array.from({ length: 121 }, (_, at) => String(880 + at))],
])(
  'of a long feed, events since %s take %i requests, whatever time it is here',
  async (text, requests, before) => {
    const { client, asked, happen } = longFeed();
    const end = new AbortController();
    const seen: string[] = [];
    const onReady = (): void => {
      expect(asked).toHaveLength(requests);
      happen('1001');
    };
    await follow(
      client,
      sinceOf(text, now),
      end.signal,
      async ({ id }) => {
        seen.push(id);
        if (id === '1001') end.abort();
      },
      onReady,
      () => undefined,
    );
    expect(seen).toEqual([...before, '1001']);
  },
);

it.each([
  [502, 'db_error', true],
  [403, 'missing_scope', false],
])('a %i of a later page is waited for, unless it is a refusal', async (status, code, isWaited) => {
  const { client } = longFeed();
  const list = client.events.list({});
  client.events.list = () => list;
  const fail = () => Promise.reject(new HooklineError('No.', { status, code }));
  const end = new AbortController();
  const followed = follow(
    client,
    null,
    end.signal,
    async () => undefined,
    () => void Object.assign(list, { page: fail }),
    () => end.abort(),
  );
  if (isWaited) await followed;
  else await expect(followed).rejects.toThrow('No.');
});

it('the subject of an event is safe to print', () => {
  const data = { id: 'content_1', result: { hook: 'A\u001b]0;owned\u0007 hook\u202e' } };
  expect(subjectOf({ data } as unknown as HooklineEvent)).toBe('content_1  A]0;owned hook');
});
