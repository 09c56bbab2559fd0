import { invalidRequest } from './errors.ts';

export type PositionCursor = {
  encode(position: number | string): string;
  /** @throws ApiError `invalid_request` naming `after` */
  decode(cursor: string): number;
};

/**
 * The `nextCursor` of a log that is read forward by position.
 * @param kind the first word inside, so that the cursor of one log is refused by another
 * @param log its name in the refusal
 */
export function createPositionCursor(kind: string, log: 'feed' | 'list'): PositionCursor {
  const encode = (position: number | string): string =>
    Buffer.from(`${kind} ${position}`).toString('base64url');
  const form = new RegExp(`^${kind} (\\d{1,15})$`);
  return {
    encode,
    decode(cursor) {
      const match = form.exec(Buffer.from(cursor, 'base64url').toString());
      const position = match && Number(match[1]);
      // Only the canonical spelling: base64url decoding ignores foreign characters.
      if (position === null || encode(position) !== cursor) {
        throw invalidRequest(`after must be a nextCursor that this ${log} returned`);
      }
      return position;
    },
  };
}
