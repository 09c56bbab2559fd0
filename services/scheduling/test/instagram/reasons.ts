/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
import type { Reason } from '../../src/platform/carrier.rules.ts';

const bySubcode: Readonly<Record<number, string>> = {
  33: 'media_missing',
  2207003: 'photo_pull_failed',
  2207004: 'picture_size_check_failed',
  2207005: 'file_format_check_failed',
  2207008: 'container_gone',
  2207009: 'aspect_ratio',
  2207020: 'container_gone',
  2207027: 'not_ready',
  2207042: 'posts_of_the_day',
  2207051: 'spam_risk',
  2207052: 'photo_pull_failed',
};

const byCode: Readonly<Record<number, string>> = {
  4: 'rate_limit_exceeded',
  10: 'scope_not_authorized',
  17: 'rate_limit_exceeded',
  190: 'access_token_invalid',
  200: 'scope_not_authorized',
  80002: 'rate_limit_exceeded',
};

export function reasonOfError(code: number, subcode: number): string {
  return bySubcode[subcode] ?? byCode[code] ?? `${code}/${subcode}`;
}

const content = { category: 'content', retryable: false } as const;
const passing = { category: 'platform_unavailable', retryable: true } as const;

export const instagramReasons: Readonly<Record<string, Reason>> = {
  posts_of_the_day: {
    category: 'rate_limited',
    retryable: true,
    message: 'This Instagram account has reached its posts for the day. Try again after 24 hours.',
  },
  spam_risk: {
    category: 'platform_rejected',
    retryable: false,
    message: 'Instagram took the post for spam.',
  },
  picture_size_check_failed: { ...content, message: 'Instagram found one of the slide images too large.' },
  file_format_check_failed: { ...content, message: 'Instagram takes slide images as JPEG only.' },
  aspect_ratio: { ...content, message: 'Instagram takes slide images from 4:5 to 1.91:1.' },
  photo_pull_failed: {
    ...passing,
    message: 'Instagram could not download the slides. Try again.',
    passing: 'Instagram could not download the slides',
  },
  container_gone: { ...passing, message: 'Instagram dropped the post before it was published. Try again.' },
  not_ready: {
    ...passing,
    message: 'Instagram was not ready to publish the post. Try again.',
    passing: 'Instagram was not ready to publish',
  },
  unreachable: {
    ...passing,
    message: 'Instagram could not be reached, and no post was made. Try again.',
    passing: 'Instagram could not be reached',
  },
};
