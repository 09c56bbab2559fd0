import { invalidRequest } from '../contracts/index.ts';

/** Where a page ends: by time, then id; newest first unless the list says otherwise. */
type PagePosition = { createdAt: Date; id: string };

export type Page = {
  limit: number;
  after: PagePosition | null;
  /** False when neither `limit` nor `cursor` was given: `nextCursor` is null in that case (D-22). */
  isPaged: boolean;
};

/** @throws ApiError `invalid_request` for a cursor that no list returned */
export function readPage(query: { limit?: number | undefined; cursor?: string | undefined }): Page {
  return {
    limit: query.limit ?? 100,
    after: query.cursor === undefined ? null : decode(query.cursor),
    isPaged: query.limit !== undefined || query.cursor !== undefined,
  };
}

/** A page as parameters of SQL: the time and id to continue after, and one row more than it holds. */
export function pageValues({ after, limit }: Page): [Date | null, string | null, number] {
  return [after?.createdAt ?? null, after?.id ?? null, limit + 1];
}

/**
 * Cuts the one row too many that a query fetches (`limit + 1`) and makes the cursor from the last kept row.
 * @param timeOf the time by which the list is sorted
 */
export function toPage<Row extends PagePosition, T>(
  rows: readonly Row[],
  page: Page,
  toRecord: (row: Row) => T,
  timeOf: (row: Row) => Date = row => row.createdAt,
): { data: T[]; nextCursor: string | null } {
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  const more = page.isPaged && rows.length > page.limit && last !== undefined;
  return {
    data: kept.map(toRecord),
    nextCursor: more ? encode({ createdAt: timeOf(last), id: last.id }) : null,
  };
}

function encode({ createdAt, id }: PagePosition): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

function decode(cursor: string): PagePosition {
  const match = /^(\d{1,15}) ([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const position = match && { createdAt: new Date(Number(match[1])), id: match[2] as string };
  // Only the canonical spelling: base64url decoding ignores foreign characters.
  if (!position || encode(position) !== cursor) {
    throw invalidRequest('cursor must be a nextCursor that this list returned');
  }
  return position;
}
