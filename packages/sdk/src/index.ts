export {
  type ClientOptions,
  type ContentCalls,
  Hookline,
  type HooklineOptions,
  HooklineSession,
  type SessionOptions,
  type WaitOptions,
  type WebhookCalls,
} from './client.ts';
export { HooklineError, type HooklineErrorFacts, type LocalErrorCode } from './errors.ts';
export { type Page, Pages } from './pages.ts';
export { scopesByRole } from './scopes.ts';
export type { CallOptions, WriteOptions } from './transport.ts';
export type * from './types.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts';
