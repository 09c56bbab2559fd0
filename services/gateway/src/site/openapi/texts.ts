/** The prose of the OpenAPI document that the contracts' summaries do not cover. */
import { type NamedRoute, scopesText } from '@hookline/shared/contracts/route';

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
  auth: 'Users and login sessions. A session creates keys, connects accounts and manages a workspace. It is not accepted on other routes.',
  workspace: 'The tenant: its members with their roles, and who may approve.',
  audit: 'Who did what in a workspace.',
  keys: 'API keys: scoped, revocable, shown once.',
  apps: 'The products that content is about, from their store pages or given by hand; their pictures and brand.',
  templates: 'What slide images can look like.',
  content: 'Slideshows: generate, edit, approve, reject. An approval applies to one version.',
  jobs: 'Generation jobs, one per content and with its id.',
  credits: 'The balance, and the ledger that it is the sum of.',
  usage: 'What the limits leave: windows of a minute, and ceilings.',
  accounts: 'TikTok accounts that you can post to.',
  schedules: 'Posts of approved content to an account, now or later, as a draft or directly.',
  automations: 'Recurring plans that generate and post automatically.',
  review: 'What somebody without an account does with a review link of a content.',
  webhooks: 'Endpoints that receive events, their deliveries and replays.',
  events: 'The same events as a feed, for callers who cannot receive webhooks.',
  analytics:
    'Views, likes and comments on Instagram and YouTube, and what decks have in common that brought many.',
};

export function describeOperation(contract: NamedRoute): string {
  const scopes = scopesText(contract);
  const needs = {
    none: contract.optionalSession ? 'Works with and without a login session.' : 'Needs no credentials.',
    session: contract.roles
      ? `Needs a login session of the role ${contract.roles.join(' or ')}.`
      : 'Needs a login session.',
    key: scopes ? `Needs an API key with ${scopes}.` : 'Needs an API key with any scope.',
  }[contract.auth];
  return `${contract.description}\n\n${needs}`;
}
