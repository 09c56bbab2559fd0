import type { Reason } from './carrier.rules.ts';

const misunderstood: Reason = {
  category: 'internal',
  retryable: false,
  message: 'TikTok did not understand the post. This is a fault of ours.',
};

/**
 * None of these pass by themselves: a wrong file (its bytes stay the same), spam and caps (retrying makes them
 * worse), a withdrawn consent or a cancelled post (a person's decision).
 */
export const tiktokReasons: Readonly<Record<string, Reason>> = {
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
  invalid_param: misunderstood,
  invalid_params: misunderstood,
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
    passing: 'TikTok could not download the slides',
  },
  internal: {
    category: 'platform_unavailable',
    retryable: true,
    message: 'TikTok had trouble of its own and made no post. Try again.',
    passing: 'TikTok had trouble of its own',
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
