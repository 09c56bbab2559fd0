/** What the document says in words beside the contracts' summaries. */
import type { RouteContract } from '@hookline/shared/contracts/route';

export const apiDescription = `Writes short-form slideshows for an app, holds each behind an approval, renders
postable slides, posts them to TikTok as drafts or directly, and tells what happened.

**Answers.** Success is \`{ data }\`, a list \`{ data, nextCursor }\`, a failure \`{ error: { code, message, requestId } }\`
whose message names the field and says what would be right. Lists hold the newest 100; \`limit\` and \`cursor\` page on.

**Limits.** 300 requests a minute per address, 120 per key, 10 per key on \`POST /content\`. Over it: 429 with
\`Retry-After\` in seconds; a request sent then is let through.

**Sending again.** 429, 502 \`db_error\` and 503 \`service_unavailable\` are safe to send again. 504 \`outcome_unknown\` is
not: a POST without an \`Idempotency-Key\` may have been carried out and its answer was lost, so look before you repeat it.
Operations that take an \`Idempotency-Key\` say so: the same key within 24 h answers the same reply and does nothing twice.`;

export const tags: Readonly<Record<string, string>> = {
  auth: 'Users and login sessions. A session mints keys and connects accounts; it opens no other route.',
  keys: 'API keys: scoped, revocable, shown once.',
  apps: 'The products that content is about, imported from their store pages.',
  content: 'Slideshows: generated, edited, approved or rejected. Approval is of one version.',
  jobs: 'Generation jobs, one per content and with its id.',
  credits: 'The balance, and the ledger it is the sum of.',
  accounts: 'TikTok accounts that posts go to.',
  schedules: 'Approved content on its way to an account, now or later, as a draft or a direct post.',
  automations: 'Recurring plans that generate and post by themselves.',
  webhooks: 'Endpoints that are told what happened, their deliveries and replays.',
  events: 'The same events to be read, for callers who cannot receive webhooks.',
  analytics: 'Views, likes and comments on Instagram and YouTube. TikTok is not included.',
};

/** By the operation's id; what the summary leaves open. */
const texts: Readonly<Record<string, string>> = {
  signUp: 'Makes a user with an account of its own and 25 credits (the operator may set another number).',
  signIn:
    'A wrong address and a wrong password are answered alike. After 10 failures for an address within 15 minutes: 429.',
  signOut:
    'The token opens nothing from then on. A token of an OIDC issuer cannot be ended here: 400 says so; sign out at the issuer.',
  createKey:
    'Give it the least scopes that do. The key is stored hashed and cannot be shown again: a repeat under the same `Idempotency-Key` answers the record without `key`.',
  revokeKey:
    'The next request with the key is 401 `key_revoked`, on every gateway. The record stays, with `revokedAt`.',
  createApp: 'Free of credits. Reads the App Store or Google Play page and derives up to 15 hooks from it.',
  createContent:
    'Answers once the slideshow is `ready` or `failed`, within 8 s. Only `templateId: "quote-card"` renders slide images, which posting needs. `illustrated` and `hook_video` answer 201 with `status: "failed"` and a notice, and cost nothing.',
  editContent:
    'Raises `version`, renders again, puts `approvalStatus` back to `pending`; costs nothing. A waiting schedule is held until the new version is approved.',
  approveContent: 'With `version` given, another version than the current one is 409 `not_ready`.',
  rejectContent: 'With `version` given, another version than the current one is 409 `not_ready`.',
  remixContent: 'Not built: 501 for every id and body.',
  preflightContent:
    'The same checks that `POST /schedules` runs, without a schedule. Without `tiktokAccountId` the deck alone is checked.',
  connectTiktok: 'Open `authorizeUrl` in a browser; TikTok sends the person back to the callback.',
  tiktokCallback:
    'Opened by the browser, not by a client. With `Accept: application/json` it answers the envelope.',
  deleteAccount:
    'Revokes the tokens at the platform. Waiting schedules of the account end as `failed` with `account_not_connected`.',
  createSchedule:
    'Without `scheduledFor` the post is sent now. `mode: "publish"` also needs the scope `schedules:publish` and a `privacyLevel` that the account allows. `?dryRun=true` makes every check, writes nothing and answers 200 with the record that would have been made (`id: null`).',
  updateSchedule: 'While `pending`. In `publish` mode it also needs the scope `schedules:publish`.',
  deleteSchedule: 'While `pending`: nothing is posted from then on.',
  retrySchedule:
    'For a `failed` one whose `failure.retryable` is true. In `publish` mode it also needs the scope `schedules:publish`.',
  createAutomation:
    'Each firing generates a deck; with `approvalMode: "auto"` it is approved and posted, with `manual` it waits for approval. `postingMode: "publish"` also needs the scope `schedules:publish`.',
  updateAutomation: 'Raising `postingMode` to `publish` also needs the scope `schedules:publish`.',
  previewAutomation: 'The next firing times, in UTC and in the zone of the automation.',
  runAutomation: 'Fires once, now, beside the plan.',
  createWebhook:
    'Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard Webhooks. The URL must be https and its address public. A repeat under the same `Idempotency-Key` answers the secret for 10 minutes, then the record without it.',
  testWebhook: 'Waits for the receiver and answers what it said.',
  rotateWebhook:
    'Both secrets sign for `overlapHours` (24 unless told otherwise), then only the new one. A repeat under the same `Idempotency-Key` answers the secret for 10 minutes, then the record without it.',
  replayDelivery: 'Queued at once, with the event id that it had.',
  listEvents:
    'Give the last `nextCursor` as `after` to go on; it is a string even when nothing more is there yet.',
  getAnalyticsSummary:
    'Posts published within the window, which ends today (UTC), with their latest numbers.',
  getVideoAnalytics: 'By the id that `POST /analytics/posts` was given; it is not a content id.',
  registerPost: 'An Instagram post needs a connected source.',
  createSource: 'The token is verified at the platform, stored encrypted and refreshed.',
};

/** What the operation does beyond its summary, and what the caller must hold. */
export function describeOperation(contract: RouteContract): string {
  const scopes = contract.scopes.map(scope => `\`${scope}\``).join(' and ');
  const needs = {
    none: 'Needs no credentials.',
    session: 'Needs a login session.',
    key: scopes ? `Needs an API key with ${scopes}.` : 'Needs an API key, whatever its scopes.',
  }[contract.auth];
  const text = texts[contract.id];
  return text ? `${text}\n\n${needs}` : needs;
}

const parameterTexts: Readonly<Record<string, string>> = {
  limit: 'Rows at most. Given, `nextCursor` tells where to go on.',
  cursor: 'The `nextCursor` of the page before.',
  after: 'The `nextCursor` of the reading before; without it, from the oldest event that is kept.',
  status: 'Only those in this state.',
  appId: 'Only those of this app.',
  contentId: 'Only those of this content.',
  windowDays: 'Days that are counted, today included. Default 30.',
  count: 'How many times. Default 10.',
  dryRun: '`true`: check everything, write nothing.',
  tiktokAccountId: 'Check against what this account allows too.',
  mode: 'Check for this mode. Default `draft`.',
  privacyLevel: 'Check for this level.',
  videoId: 'The id that the post was registered with.',
  deliveryId: 'The id of the delivery.',
  code: "TikTok's authorization code.",
  state: 'The `state` of the connection that was begun.',
  error: 'Why TikTok sent no code.',
  error_description: "TikTok's own words on the error.",
};

export function describeParameter(contract: RouteContract, name: string): string {
  if (name !== 'id') return parameterTexts[name] ?? name;
  return `The id of the ${contract.path.split('/')[1]?.replace(/s$/, '')}.`;
}
