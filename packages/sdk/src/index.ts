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
export { scopesByRole } from './generated/scopes.ts';
export type * from './generated/types.ts';
export { itemsOfList, type ListDefaults, textOfList } from './list.ts';
export { type Page, Pages } from './pages.ts';
export type { CallOptions, WriteOptions } from './transport.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts';
