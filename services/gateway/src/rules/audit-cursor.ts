import { invalidRequest } from '@hookline/shared/contracts';

export function encodeAuditCursor(position: number | string): string {
  return Buffer.from(`audit ${position}`).toString('base64url');
}

/** @throws ApiError `invalid_request` */
export function decodeAuditCursor(cursor: string): number {
  const match = /^audit (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const position = match && Number(match[1]);
  if (position === null || encodeAuditCursor(position) !== cursor) {
    throw invalidRequest('after must be a nextCursor that this list returned');
  }
  return position;
}
