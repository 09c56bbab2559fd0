import type { FastifyReply } from 'fastify';
import type { World } from '../world.ts';
import { newLogId } from './ids.ts';

export type Refusal = { status: number; code: string; message: string };

const refusals: Record<string, [status: number, message: string]> = {
  invalid_param: [400, 'The request parameters are not valid.'],
  invalid_params: [400, 'One or more fields in the request are invalid.'],
  invalid_publish_id: [400, 'The publish_id does not exist.'],
  token_not_authorized_for_specified_publish_id: [400, 'The token is not authorized for this publish_id.'],
  app_version_check_failed: [400, 'The creator must use TikTok app version 31.8 or newer.'],
  scope_permission_missed: [400, 'Fields were requested that the granted scopes do not cover.'],
  access_token_invalid: [401, 'The access token is invalid or not found in the request.'],
  scope_not_authorized: [401, 'The user did not authorize the scope required for completing this request.'],
  spam_risk_too_many_posts: [403, 'The daily post cap from the API is reached for the current user.'],
  spam_risk_user_banned_from_posting: [403, 'The user is banned from making new posts.'],
  spam_risk_too_many_pending_share: [403, 'Too many shares are waiting in the inbox of the user.'],
  reached_active_user_cap: [403, 'The daily quota for active publishing users from your client is reached.'],
  unaudited_client_can_only_post_to_private_accounts: [
    403,
    'Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/',
  ],
  url_ownership_unverified: [
    403,
    'Please review our URL ownership verification rules at https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide#pull_from_url',
  ],
  privacy_level_option_mismatch: [
    403,
    'The privacy level is missing or not among the privacy_level_options.',
  ],
  rate_limit_exceeded: [429, 'The API rate limit was exceeded. Please try again later.'],
  internal_error: [500, 'Internal error. Please try again later.'],
};

/** The refusal TikTok documents for this code; `message` overrides the general text (never match on it). */
export function refusal(code: string, message?: string): Refusal {
  const [status, text] = refusals[code] ?? [500, 'Unknown error.'];
  return { status, code, message: message ?? text };
}

export function isRefusalCode(code: string): boolean {
  return Object.hasOwn(refusals, code);
}

/** A success always includes an `error` object too; cancel's success has no `data`. */
export function sendOk(world: World, reply: FastifyReply, data: unknown): void {
  const error = { code: 'ok', message: '', log_id: newLogId(world.now()) };
  sendJson(reply, 200, data === undefined ? { error } : { data, error });
}

/** Alternates between the two shapes of a refusal seen live: without `data`, and with `data: {}`. */
export function sendRefusal(world: World, reply: FastifyReply, refused: Refusal): void {
  const logId = newLogId(world.now());
  const error = { code: refused.code, message: refused.message, log_id: logId };
  const isBare = Number.parseInt(logId.slice(-1), 16) % 2 === 0;
  sendJson(reply, refused.status, isBare ? { error } : { data: {}, error });
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): void {
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
