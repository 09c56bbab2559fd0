import { afterEach, expect, it, vi } from 'vitest';
import { type Feed, readFeed } from './read-feed.ts';

type Row = { id: number };
let length = 0;
const asked: string[] = [];

vi.stubGlobal('fetch', (path: string) => {
  asked.push(path);
  const { searchParams } = new URL(path, 'http://localhost');
  const after = Number(searchParams.get('after') ?? 0);
  const end = Math.min(after + Number(searchParams.get('limit')), length);
  const data = Array.from({ length: end - after }, (_, index) => ({ id: after + index + 1 }));
  return Promise.resolve(Response.json({ data, nextCursor: String(end) }));
});
afterEach(() => {
  asked.length = 0;
});

const read = (before?: Feed<Row>) => readFeed<Row>('/events', before, new AbortController().signal);

it('a feed is read forward to its newest row in bounded steps, and the newest 2,000 rows are kept', async () => {
  length = 2_350;
  let feed = await read();
  expect(feed).toMatchObject({ isComplete: false, read: 1_000 });
  expect(asked).toHaveLength(10);
  let steps = 0;
  while (!feed.isComplete) {
    feed = await read(feed);
    steps += 1;
  }
  expect(steps).toBe(14);
  expect(asked).toHaveLength(24);
  expect(feed.read).toBe(2_350);
  expect(feed.rows).toHaveLength(2_000);
  expect([feed.rows[0]?.id, feed.rows.at(-1)?.id]).toEqual([351, 2_350]);

  length += 3;
  feed = await read(feed);
  expect(asked).toHaveLength(25);
  expect(feed).toMatchObject({ isComplete: true, read: 2_353 });
  expect(feed.rows.at(-1)?.id).toBe(2_353);
});
