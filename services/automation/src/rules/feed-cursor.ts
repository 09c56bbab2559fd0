import { invalidRequest } from '@hookline/shared/contracts';

export function encodeFeedCursor(position: number): string {
  return Buffer.from(`feed ${position}`).toString('base64url');
}

/** @throws ApiError `invalid_request` */
export function decodeFeedCursor(cursor: string): number {
  const match = /^feed (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const position = match && Number(match[1]);
  if (position === null || encodeFeedCursor(position) !== cursor) {
    throw invalidRequest('after must be a nextCursor that this feed returned');
  }
  return position;
}
