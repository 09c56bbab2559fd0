import type { z } from 'zod';
import { answerText } from './answer-fields.ts';
import { invalidRequest } from './errors.ts';
import { oneOf, text } from './fields.ts';

/** The query of a log that is read by position, in either direction; with `limit`. */
export const logQuery = {
  after: text(1, 200).optional().meta({
    description:
      'The `nextCursor` of the previous response. Without it, reading starts at the oldest row that is kept.',
  }),
  order: oneOf(['oldest', 'newest']).optional().meta({
    description:
      'Default: `oldest`. With `newest`, the newest rows come first, `previousCursor` leads to those before them, and `nextCursor` to those that are added later.',
  }),
  before: text(1, 200).optional().meta({
    description: 'With `order=newest`: the `previousCursor` of the previous response.',
  }),
};

export const previousCursor = answerText(200)
  .nullable()
  .optional()
  .meta({ description: 'With `order=newest`: null when there is nothing older.' });

type LogQuery = z.infer<z.ZodObject<typeof logQuery>>;

/** Where a page begins: after or before a position, exclusive. */
export type LogStart = { after: number } | { before: number };

export type PositionCursor = {
  encode(position: number | string): string;
  /** @throws ApiError `invalid_request` naming the field */
  decode(cursor: string, field?: 'after' | 'before'): number;
  /**
   * @throws ApiError `invalid_request` for a cursor that this log did not return, or
   * that the order does not take
   */
  start(query: LogQuery): LogStart;
  /** The cursors of a page read newest first. @param rows one more than the limit, if there are */
  newestPage<T extends { position: number | string }>(
    rows: readonly T[],
    limit: number,
    before: number,
  ): { rows: readonly T[]; nextCursor: string; previousCursor: string | null };
};

/** Greater than every position: cursors have at most 15 digits. */
const positionEnd = 10 ** 15;

/**
 * The cursors of a log that is read by position.
 * @param kind the first word inside, so that the cursor of one log is refused by another
 * @param log its name in the refusal
 */
export function createPositionCursor(kind: string, log: 'feed' | 'list'): PositionCursor {
  const encode = (position: number | string): string =>
    Buffer.from(`${kind} ${position}`).toString('base64url');
  const form = new RegExp(`^${kind} (\\d{1,15})$`);
  const decode: PositionCursor['decode'] = (cursor, field = 'after') => {
    const match = form.exec(Buffer.from(cursor, 'base64url').toString());
    const position = match && Number(match[1]);
    // Only the canonical spelling: base64url decoding ignores foreign characters.
    if (position === null || encode(position) !== cursor) {
      const name = field === 'after' ? 'nextCursor' : 'previousCursor';
      throw invalidRequest(`${field} must be a ${name} that this ${log} returned`);
    }
    return position;
  };
  return {
    encode,
    decode,
    start({ order, after, before }) {
      if (order === 'newest') {
        if (after !== undefined) throw invalidRequest('after must be left out with order=newest; use before');
        return { before: before === undefined ? positionEnd : decode(before, 'before') };
      }
      if (before !== undefined) throw invalidRequest('before must be left out unless order is newest');
      return { after: after === undefined ? 0 : decode(after) };
    },
    newestPage(rows, limit, before) {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      // An empty log is followed from its beginning, what is before a cursor from there.
      const newest = shown[0]?.position ?? (before === positionEnd ? 0 : Math.max(before - 1, 0));
      return {
        rows: shown,
        nextCursor: encode(newest),
        previousCursor: rows.length > limit && last ? encode(last.position) : null,
      };
    },
  };
}
