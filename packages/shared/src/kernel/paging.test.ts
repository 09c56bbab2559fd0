import { describe, expect, it } from 'vitest';
import { newId } from './ids.ts';
import { type Page, readPage, toPage } from './paging.ts';

type Row = { id: string; createdAt: Date };

const startMs = Date.UTC(2026, 10, 21);
/** Newest first; every two share a millisecond, so that the id decides between them. */
const rows: Row[] = Array.from({ length: 25 }, (_, n) => {
  const createdAt = new Date(startMs + Math.floor(n / 2));
  return { id: newId('content', createdAt.getTime()), createdAt };
}).sort((left, right) => (isBefore(left, right) ? 1 : -1));

function isBefore(left: Row, right: Row): boolean {
  const byTime = left.createdAt.getTime() - right.createdAt.getTime();
  return byTime === 0 ? left.id < right.id : byTime < 0;
}

/** Like a query: keyset, one row more than the page holds. */
function select(page: Page): Row[] {
  const { after } = page;
  return rows.filter(row => after === null || isBefore(row, after)).slice(0, page.limit + 1);
}

function ask(query: { limit?: number; cursor?: string }) {
  const page = readPage(query);
  return toPage(select(page), page, row => row.id);
}

describe('paging', () => {
  it('without parameters answers the newest 100 and no cursor', () => {
    expect(readPage({})).toMatchObject({ limit: 100, after: null });
    expect(ask({}).nextCursor).toBeNull();
    const many = Array.from({ length: 101 }, () => rows[0] as Row);
    const whole = toPage(many, readPage({}), row => row.id);
    expect(whole.data).toHaveLength(100);
    expect(whole.nextCursor).toBeNull();
  });

  it.each([1, 2, 7, 24, 25, 26])('gives every row once, in order, %i at a time', limit => {
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const { data, nextCursor } = ask(cursor === undefined ? { limit } : { limit, cursor });
      seen.push(...data);
      pages += 1;
      if (nextCursor === null) break;
      expect(data).toHaveLength(limit);
      cursor = nextCursor;
    }
    expect(seen).toEqual(rows.map(row => row.id));
    // The last full page reports that it is the last.
    expect(pages).toBe(Math.ceil(rows.length / limit));
  });

  it('goes on from a cursor without a limit', () => {
    const { nextCursor } = ask({ limit: 5 });
    expect(ask({ cursor: nextCursor ?? '' }).data).toHaveLength(20);
  });

  it.each([
    '',
    'x',
    'bm9uZQ',
    Buffer.from('12 bad id!').toString('base64url'),
    Buffer.from(`${'9'.repeat(16)} a`).toString('base64url'),
    `${Buffer.from('1 a').toString('base64url')}x`,
    `!${Buffer.from('1 a').toString('base64url')}`,
    Buffer.from('01 a').toString('base64url'),
  ])('refuses a cursor that no list gave out: %s', cursor => {
    expect(() => readPage({ cursor })).toThrow(/^cursor must be a nextCursor that this list returned$/);
  });
});
