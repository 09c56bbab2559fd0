export { type ClientOptions, type ContentCalls, Hookline, type HooklineOptions, HooklineSession, type SessionOptions, type WaitOptions, type WebhookCalls, } from './client.js';
export { HooklineError, type HooklineErrorFacts, type LocalErrorCode } from './errors.js';
export { type Page, Pages } from './pages.js';
export { scopesByRole } from './scopes.js';
export type { CallOptions, WriteOptions } from './transport.js';
export type * from './types.js';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError, } from './webhooks.js';
