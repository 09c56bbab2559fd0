export { ErrorEnvelope, errorBody } from './envelope.ts';
export {
  ApiError,
  answerLost,
  type ErrorCode,
  errorCatalogue,
  invalidRequest,
  type LostAnswer,
  notFound,
  rateLimited,
} from './errors.ts';
export { isBlank } from './fields.ts';
export { isoTimePattern, normaliseIsoTime } from './iso-time.ts';
export { createPositionCursor } from './position-cursor.ts';
