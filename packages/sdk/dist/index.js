export { Hookline, HooklineSession, } from './client.js';
export { HooklineError } from './errors.js';
export { Pages } from './pages.js';
export { scopesByRole } from './scopes.js';
export { verifyWebhook, WebhookVerificationError, } from './webhooks.js';
