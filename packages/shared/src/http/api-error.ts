import { ApiError, answerLost, invalidRequest, type LostAnswer } from '../contracts/index.ts';
import { CommitUnknownError, isDatabaseError } from '../postgres/index.ts';
import { bodyBytesMax } from './json.ts';

/** Maps a thrown value to the caller's error. Its message contains nothing internal. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CommitUnknownError) {
    // Public routes answer it themselves (`toWriteError`). Calls between services and platform events are
    // repeatable.
    return answerLost({ method: 'PATCH', honoursKey: false, hasKey: false, cause: error });
  }
  const status = (error as { statusCode?: number }).statusCode;
  // A client that hangs up in its body is an ECONNRESET too; the server marks it with a status.
  if (status === undefined && isDatabaseError(error)) {
    return new ApiError('db_error', undefined, { cause: error });
  }
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

/**
 * The error for a request after which something may have been committed. A certain outcome is reported as it
 * is; an error that claims nothing was changed is reported as a lost answer.
 * @param hasCommitted whether a transaction of this request was committed before the failure
 */
export function toWriteError(
  error: unknown,
  request: Omit<LostAnswer, 'cause'>,
  hasCommitted: boolean,
): unknown {
  if (error instanceof CommitUnknownError) return answerLost({ ...request, cause: error });
  if (!hasCommitted) return error;
  const { code, cause } = toApiError(error);
  const claimsNothing = code === 'db_error' || (code === 'service_unavailable' && !request.hasKey);
  return claimsNothing ? answerLost({ ...request, cause: cause ?? error }) : error;
}
