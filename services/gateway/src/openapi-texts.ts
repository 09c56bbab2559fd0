/** The prose of the OpenAPI document: what the contracts' summaries leave open. */
import type { RouteContract } from '@hookline/shared/contracts/route';

export const apiDescription = `Writes short-form slideshows for an app, holds each behind an approval, renders
slides that can be posted, posts them to TikTok as drafts or directly, and reports what happened.

**Responses.** Success is \`{ data }\`, a list is \`{ data, nextCursor }\`, an error is \`{ error: { code, message, requestId } }\`.
The message names the field and says what is accepted. Lists return the newest 100; \`limit\` and \`cursor\` page through the rest.

**Limits.** 300 requests a minute per address, 120 per key, 10 per key on \`POST /content\`. Beyond that:
429 with \`Retry-After\` in seconds. A request sent after that time is accepted.

**Retries.** 429, 502 \`db_error\` and 503 \`service_unavailable\` are safe to retry. 504 \`outcome_unknown\` is not: a POST
without an \`Idempotency-Key\` may have been carried out, and its response was lost. Check before you repeat it. Operations
that accept an \`Idempotency-Key\` say so: within 24 h the same key returns the same response and does nothing twice.`;

export const tags: Readonly<Record<string, string>> = {
  auth: 'Users and login sessions. A session creates keys and connects accounts. It is not accepted on other routes.',
  keys: 'API keys: scoped, revocable, shown once.',
  apps: 'The products that content is about, imported from their store pages.',
  content: 'Slideshows: generate, edit, approve, reject. An approval applies to one version.',
  jobs: 'Generation jobs, one per content and with its id.',
  credits: 'The balance, and the ledger that it is the sum of.',
  accounts: 'TikTok accounts that you can post to.',
  schedules: 'Posts of approved content to an account, now or later, as a draft or directly.',
  automations: 'Recurring plans that generate and post automatically.',
  webhooks: 'Endpoints that receive events, their deliveries and replays.',
  events: 'The same events as a feed, for callers who cannot receive webhooks.',
  analytics: 'Views, likes and comments on Instagram and YouTube. TikTok is not included.',
};

/** By the operation's id; what the summary leaves open. */
const texts: Readonly<Record<string, string>> = {
  signUp: 'Creates a user with its own account and 25 credits (the operator can set another number).',
  signIn:
    'An unknown e-mail address and a wrong password get the same response. After 10 failures for an e-mail address within 15 minutes: 429.',
  signOut:
    'The token is no longer accepted. A token of an OIDC issuer cannot be ended here (400): sign out at the issuer.',
  createKey:
    'Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again: a retry with the same `Idempotency-Key` returns the record without `key`.',
  revokeKey:
    'The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with `revokedAt`.',
  createApp: 'Costs no credits. Reads the App Store or Google Play page and derives up to 15 hooks from it.',
  createContent:
    'Responds when the slideshow is `ready` or `failed`, within 8 s. Only `templateId: "quote-card"` renders slide images, which posting requires. `illustrated` and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.',
  editContent:
    'Increments `version`, renders again and resets `approvalStatus` to `pending`. Costs nothing. A pending schedule is held until the new version is approved.',
  approveContent: 'If `version` is given and is not the current one: 409 `not_ready`.',
  rejectContent: 'If `version` is given and is not the current one: 409 `not_ready`.',
  remixContent: 'Not implemented: 501 for every id and body.',
  preflightContent:
    'Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only the deck is checked.',
  connectTiktok: 'Open `authorizeUrl` in a browser; TikTok sends the person back to the callback.',
  tiktokCallback:
    'Opened by the browser, not by a client. With `Accept: application/json` it returns the envelope.',
  deleteAccount:
    'Revokes the tokens at the platform. Pending schedules of the account end as `failed` with `account_not_connected`.',
  createSchedule:
    'Without `scheduledFor` the post is sent now. `mode: "publish"` also needs the scope `schedules:publish` and a `privacyLevel` that the account allows. `?dryRun=true` runs every check, writes nothing and returns 200 with the record that would have been created (`id: null`).',
  updateSchedule: 'Only while `pending`. In `publish` mode it also needs the scope `schedules:publish`.',
  deleteSchedule: 'Only while `pending`. After the response nothing is posted.',
  retrySchedule:
    'Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs the scope `schedules:publish`.',
  createAutomation:
    'Each firing generates a deck. With `approvalMode: "auto"` it is approved and posted; with `manual` it waits for approval. `postingMode: "publish"` also needs the scope `schedules:publish`.',
  updateAutomation: 'Changing `postingMode` to `publish` also needs the scope `schedules:publish`.',
  previewAutomation: 'The next firing times, in UTC and in the time zone of the automation.',
  runAutomation: 'Fires once, now. The plan is unchanged.',
  createWebhook:
    'Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard Webhooks. The URL must use https and resolve to a public address. A retry with the same `Idempotency-Key` returns the secret for 10 minutes, then the record without it.',
  testWebhook: 'Waits for the receiver and returns its response.',
  rotateWebhook:
    'Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same `Idempotency-Key` returns the secret for 10 minutes, then the record without it.',
  replayDelivery: 'Queued immediately, with the original event id.',
  listEvents:
    'Pass the last `nextCursor` as `after` to continue. It is a string even when there is nothing more yet.',
  getAnalyticsSummary:
    'Posts published within the window, which ends today (UTC), with their latest numbers.',
  getVideoAnalytics: 'By the `videoId` given to `POST /analytics/posts`. It is not a content id.',
  registerPost: 'An Instagram post needs a connected source.',
  createSource: 'The token is verified at the platform, stored encrypted and refreshed.',
};

/** What the operation does beyond its summary, and the credentials it needs. */
export function describeOperation(contract: RouteContract): string {
  const scopes = contract.scopes.map(scope => `\`${scope}\``).join(' and ');
  const needs = {
    none: 'Needs no credentials.',
    session: 'Needs a login session.',
    key: scopes ? `Needs an API key with ${scopes}.` : 'Needs an API key with any scope.',
  }[contract.auth];
  const text = texts[contract.id];
  return text ? `${text}\n\n${needs}` : needs;
}

const parameterTexts: Readonly<Record<string, string>> = {
  limit: 'Maximum number of rows. With it, `nextCursor` is set when there are more.',
  cursor: 'The `nextCursor` of the previous page.',
  after:
    'The `nextCursor` of the previous response. Without it, reading starts at the oldest event that is kept.',
  status: 'Return only those in this state.',
  appId: 'Return only those of this app.',
  contentId: 'Return only those of this content.',
  windowDays: 'Number of days, including today. Default 30.',
  count: 'Number of firing times. Default 10.',
  dryRun: '`true`: run every check and write nothing.',
  tiktokAccountId: 'Also check against what this account allows.',
  mode: 'Check for this mode. Default `draft`.',
  privacyLevel: 'Check for this level.',
  videoId: 'The id that the post was registered with.',
  deliveryId: 'The id of the delivery.',
  code: "TikTok's authorization code.",
  state: 'The `state` that `POST /accounts/tiktok/connect` returned.',
  error: "TikTok's reason for sending no code.",
  error_description: "TikTok's description of the error.",
};

export function describeParameter(contract: RouteContract, name: string): string {
  if (name !== 'id') return parameterTexts[name] ?? name;
  return `The id of the ${contract.path.split('/')[1]?.replace(/s$/, '')}.`;
}
