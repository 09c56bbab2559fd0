/** A platform's code or reason is explained in words for the owner. */
import type { ScheduleFailure, ScheduleMode } from '@hookline/shared/contracts/schedules';
import { minuteMs } from '@hookline/shared/kernel/durations';

type Category = ScheduleFailure['category'];
type Explanation = { category: Category; retryable: boolean; message: string; code?: string };

const explanations: Record<string, Explanation> = {
  spam_risk_too_many_posts: {
    category: 'rate_limited',
    retryable: true,
    message: 'This TikTok account has reached its posts for the day. Try again after 24 hours.',
  },
  spam_risk_too_many_pending_share: {
    category: 'rate_limited',
    retryable: true,
    message: 'Too many drafts wait in the TikTok inbox. Post or discard some there, then try again.',
  },
  reached_active_user_cap: {
    category: 'rate_limited',
    retryable: true,
    message: 'Too many creators posted through this app today. Try again tomorrow.',
  },
  rate_limit_exceeded: {
    category: 'rate_limited',
    retryable: true,
    message: 'TikTok asked for fewer requests for a long time. Try again in a while.',
  },
  spam_risk_user_banned_from_posting: {
    category: 'account',
    retryable: false,
    message: 'TikTok has banned this account from posting.',
  },
  unaudited_client_can_only_post_to_private_accounts: {
    category: 'account',
    retryable: false,
    message:
      'Until TikTok has audited this app, it may post only to private accounts, visible only to themselves.',
  },
  app_version_check_failed: {
    category: 'account',
    retryable: true,
    message: 'The TikTok app on the phone is too old to receive drafts. Update it, then try again.',
  },
  privacy_level_option_mismatch: {
    category: 'content',
    retryable: false,
    code: 'invalid_privacy_level',
    message:
      'The TikTok account no longer allows this privacy level. Schedule again with one that it allows.',
  },
  url_ownership_unverified: {
    category: 'internal',
    retryable: false,
    message:
      'TikTok does not know the address that serves the slides. The operator must verify it at TikTok.',
  },
  invalid_param: {
    category: 'internal',
    retryable: false,
    message: 'TikTok did not understand the post. This is a fault of ours.',
  },
  file_format_check_failed: {
    category: 'content',
    retryable: false,
    message: 'TikTok could not read one of the slide images.',
  },
  picture_size_check_failed: {
    category: 'content',
    retryable: false,
    message: 'TikTok found one of the slide images too large.',
  },
  photo_pull_failed: {
    category: 'platform_unavailable',
    retryable: true,
    message: 'TikTok could not download the slides. Try again.',
  },
  internal: {
    category: 'platform_unavailable',
    retryable: true,
    message: 'TikTok had trouble of its own and made no post. Try again.',
  },
  auth_removed: {
    category: 'account',
    retryable: true,
    code: 'account_not_connected',
    message:
      'The TikTok account was disconnected before the post was made. Connect it again, then try again.',
  },
  publish_cancelled: {
    category: 'platform_rejected',
    retryable: true,
    message: 'The post was cancelled at TikTok.',
  },
  spam_risk_text: {
    category: 'platform_rejected',
    retryable: false,
    message: 'TikTok judged the text of the post as spam. Change it before scheduling again.',
  },
  spam_risk: {
    category: 'platform_rejected',
    retryable: false,
    message: 'TikTok refused the post because of its spam rules.',
  },
};
explanations.invalid_params = explanations.invalid_param!;

/**
 * After these reasons a post is sent again automatically: the platform's own list says that a retry may help
 * and needs nobody to act. Excluded are a wrong file (its bytes stay the same), spam and caps (retrying makes
 * them worse), a withdrawn consent or a cancelled post (a person's decision), and unknown reasons.
 */
const passingTroubles: Record<string, string> = {
  photo_pull_failed: 'TikTok could not download the slides',
  internal: 'TikTok had trouble of its own',
};

/** @returns null if a new call would not help, or might do harm. */
export function passingTrouble(reason: string): string | null {
  return Object.hasOwn(passingTroubles, reason) ? (passingTroubles[reason] ?? null) : null;
}

/** API-4 has one code for each mode. */
function refusalCode(mode: ScheduleMode): 'tiktok_create_failed' | 'tiktok_publish_failed' {
  return mode === 'draft' ? 'tiktok_create_failed' : 'tiktok_publish_failed';
}

/** Unknown codes of content/init and fail reasons of status/fetch count as rejected, final. */
export function platformFailure(
  mode: ScheduleMode,
  reason: string,
  platformMessage: string | null,
): ScheduleFailure {
  const entry = explanations[reason];
  return {
    code: entry?.code ?? refusalCode(mode),
    category: entry?.category ?? 'platform_rejected',
    message: entry?.message ?? 'TikTok rejected the post.',
    retryable: entry?.retryable ?? false,
    platformMessage: platformMessage ?? reason,
  };
}

export function ownFailure(
  code: string,
  category: Category,
  message: string,
  retryable: boolean,
): ScheduleFailure {
  return { code, category, message, retryable, platformMessage: null };
}

/** The platform refused the call, or a query before it. */
export function refusalFailure(mode: ScheduleMode, code: string, message: string): ScheduleFailure {
  return code === 'scope_not_authorized'
    ? accountFailure('account_needs_reauth')
    : platformFailure(mode, code, message);
}

/** A frozen workspace waits for its deletion; once it is restored, a retry sends the post. */
export function workspaceFrozen(): ScheduleFailure {
  return ownFailure(
    'workspace_frozen',
    'account',
    'The workspace was about to be deleted when the post was due. Restore the workspace, then try again.',
    true,
  );
}

export function notPostable(code: string, message: string): ScheduleFailure {
  return ownFailure(code, 'content', message, false);
}

export function rejected(): ScheduleFailure {
  return ownFailure('not_approved', 'content', 'The content was rejected before it was sent.', false);
}

export function outcomeUnknown(): ScheduleFailure {
  return ownFailure(
    'outcome_unknown',
    'outcome_unknown',
    'TikTok never said whether the post was made. Look at the TikTok account before scheduling it again.',
    false,
  );
}

/** The schedule may have been posted after the backup that the data were restored from. */
export function unknownSince(backupAt: Date): ScheduleFailure {
  return ownFailure(
    'outcome_unknown',
    'outcome_unknown',
    `The data were restored from a backup of ${backupAt.toISOString()}, and the post may have been made since. Look at the TikTok account before scheduling it again.`,
    false,
  );
}

/** The schedule may have been moved to an earlier time and posted after that backup. */
export function keptBackSince(backupAt: Date): string {
  return `the data were restored from a backup of ${backupAt.toISOString()}, and it may have been moved and posted since: look at the TikTok account, then give it a time again or delete it`;
}

export function unreachable(mode: ScheduleMode, reason: string): ScheduleFailure {
  return {
    // An unreachable platform is tiktok_create_failed, whatever the mode (D-43).
    code: 'tiktok_create_failed',
    category: 'platform_unavailable',
    message: `TikTok could not be reached, and no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again.`,
    retryable: true,
    platformMessage: reason,
  };
}

/**
 * Every account gets these errors: they are about our client
 * (https://developers.tiktok.com/doc/oauth-error-handling).
 */
const clientErrors = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_request',
  'invalid_scope',
]);

/** A refused renewal of this kind says nothing about the account. */
export function isClientError(code: string): boolean {
  return clientErrors.has(code);
}

/** The platform did not end the grant, which only `invalid_grant` does. */
export function notRenewed(code: string): ScheduleFailure {
  const what = `TikTok refused to renew the access to this account (${code}), and no post was made.`;
  return isClientError(code)
    ? ownFailure(
        'tiktok_create_failed',
        'internal',
        `${what} The operator must check the TikTok app of this installation; then try again.`,
        true,
      )
    : ownFailure('account_needs_reauth', 'account', `${what} Connect it again, then try again.`, true);
}

/** Sending was paused, no worker ran, or the account's pace left no turn. */
export function missed(mode: ScheduleMode, lateMaxMs: number): ScheduleFailure {
  const minutes = lateMaxMs / minuteMs;
  const limit = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return ownFailure(
    'missed',
    'internal',
    `It could not be sent within ${limit} of its time, so no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again to send it now.`,
    true,
  );
}

/** One of our own services was away for too long, and the platform was not asked. */
export function ownServiceAway(mode: ScheduleMode): ScheduleFailure {
  return ownFailure(
    'service_unavailable',
    'internal',
    `Part of the service was unavailable for too long, so no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again.`,
    true,
  );
}

export function accountFailure(code: 'account_not_connected' | 'account_needs_reauth'): ScheduleFailure {
  const message =
    code === 'account_not_connected'
      ? 'The TikTok account is disconnected. Connect it again, then try again.'
      : 'TikTok wants a new sign-in for this account. Connect it again, then try again.';
  return ownFailure(code, 'account', message, true);
}
