export { toApiError } from './api-error.ts';
export { barePage, escapeHtml } from './bare-page.ts';
export {
  type Actor,
  audienceOfKey,
  bareCaller,
  byOf,
  type Caller,
  type CallSigner,
  callerHeader,
  callsBetweenServices,
  createCallSigner,
  createCallVerifier,
  lastingCaller,
  type VerifiedCall,
} from './caller.ts';
export { createServiceClient, type ServiceClient } from './client.ts';
export { createDrain, type Drain, type ReadinessCheck } from './drain.ts';
export { nullDropper } from './drop-nulls.ts';
export { warnOfPlainHttp } from './plain-http.ts';
export {
  askPlatform,
  createPlatformAgent,
  type Fields,
  fieldsOf,
  type PlatformAnswer,
  parseExactJson,
  parseFields,
  textOf,
} from './platform.ts';
export { readAtMost } from './read-at-most.ts';
export { isHealth, matchedRoute, openRequestContext, requestContextOf } from './request-context.ts';
export { installRequestMetrics } from './request-metrics.ts';
export {
  addInternalRoute,
  addRoute,
  addUnbuiltRoute,
  answerText,
  jsonHeaders,
  RawAnswer,
  type RouteHandler,
  readIdempotencyKey,
} from './routes.ts';
export {
  addHealthRoutes,
  createBareServer,
  createServiceServer,
  hasBody,
  installErrorEnvelope,
  requireSealedBody,
  requireSealedUpload,
  writeClientError,
} from './server.ts';
export { createUpstream, type Upstream } from './upstream.ts';
export { addWriteRoute, replayAnswer, routeOf, type WriteSteps } from './write-route.ts';
