/** Meaning of a Graph API error for a collector. */
export type GraphProblem =
  /** The token is expired, revoked or lacks a permission: only its owner can fix it. */
  | 'token'
  /** The media does not exist, or this token may not see it. */
  | 'missing'
  /** A field or metric that this media does not have; it fails the whole call. */
  | 'unsupported'
  /** Posted before the account was a business account: it never has insights. */
  | 'before_conversion'
  /** Too few viewers for insights. */
  | 'no_viewers'
  /** The account's limit. */
  | 'limited'
  /** The limit of the whole app. */
  | 'app_limited'
  | 'transient';

const limits = [17, 32, 613, 80002];

/**
 * Decides by code and subcode. Only where two problems share a code does the message count: 10 is a missing
 * permission, and of a story that hardly anybody saw. An unknown code is worth a retry.
 */
export function problemOf(
  code: number,
  subcode: number | null,
  isTransient: boolean,
  message: string,
): GraphProblem {
  if (code === 190 || code === 102 || (code >= 200 && code < 300)) return 'token';
  if (code === 100 && subcode === 33) return 'missing';
  // Also seen under code 4.
  if (subcode === 2_108_006) return 'before_conversion';
  if (code === 4) return 'app_limited';
  if (limits.includes(code)) return 'limited';
  if (code === 100 && !isTransient) return 'unsupported';
  if (code === 10) return /viewers/i.test(message) ? 'no_viewers' : 'token';
  return 'transient';
}
