import { api } from '../api.ts';
import type { Page } from '../types.ts';

/** Pages of one reading: 1,000 rows at first and of what is new, then one page a second (`Feed.tsx`). */
const feedPagesAtOnce = 10;
const feedPage = 100;
/** The newest rows that are kept; a feed may have millions. */
const feedRowsMax = 2_000;

/** `read`: rows since the oldest, of which `rows` holds the newest. */
export type Feed<T> = { rows: T[]; cursor: string | null; isComplete: boolean; read: number };

/**
 * A feed is answered oldest first and its cursor never ends, so it is read forward from where the last reading ended.
 * It is complete when the newest row was read.
 */
export async function readFeed<T>(
  path: string,
  before: Feed<T> | undefined,
  signal: AbortSignal,
): Promise<Feed<T>> {
  let { rows, cursor, read } = before ?? { rows: [], cursor: null, read: 0 };
  let isComplete = false;
  const pagesMax = before && !before.isComplete ? 1 : feedPagesAtOnce;
  for (let pages = 0; pages < pagesMax && !isComplete; pages += 1) {
    const answer: Page<T> = await api.get(path, { limit: feedPage, after: cursor }, signal);
    rows = [...rows, ...answer.data].slice(-feedRowsMax);
    read += answer.data.length;
    cursor = answer.nextCursor;
    isComplete = answer.data.length < feedPage;
  }
  return { rows, cursor, isComplete, read };
}
