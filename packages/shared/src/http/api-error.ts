import { isDatabaseError } from '../db.ts';
import { ApiError, invalidRequest } from '../errors.ts';
import { bodyBytesMax } from './json.ts';

/** Turns whatever was thrown into the one error that callers see. Nothing internal enters its message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseError(error)) return new ApiError('db_error', undefined, { cause: error });
  const status = (error as { statusCode?: number }).statusCode;
  const code = (error as { code?: string }).code;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return invalidRequest(`The body must be at most ${bodyBytesMax} bytes.`, { status: 413 });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return invalidRequest('The content type must be application/json.', { status: 415 });
  }
  if (code === 'FST_ERR_BAD_URL') return invalidRequest('The path must be percent-encoded UTF-8.');
  if (status !== undefined && status >= 400 && status < 500) {
    return invalidRequest('The request could not be read: send JSON over HTTP/1.1.', {
      status,
      cause: error,
    });
  }
  return new ApiError('internal_error', undefined, { cause: error });
}
