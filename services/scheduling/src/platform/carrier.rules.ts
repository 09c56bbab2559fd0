/** The posting protocol needs this of a platform. Another platform is another adapter of this type. */
import type { PrivacyLevel, ScheduleFailure, ScheduleMode } from '@hookline/shared/contracts/schedules';
import type { SlideLimits } from './image-facts.rules.ts';

type Refused = { kind: 'refused'; code: string; message: string; logId: string; status: number };

/** After `unreachable` the same call is safe: nothing was sent. An `ambiguous` one may have been done. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | Refused
  | { kind: 'unreachable'; reason: string }
  | { kind: 'ambiguous'; reason: string };

export type Tokens = {
  accessToken: string;
  refreshToken: string;
  accessSeconds: number;
  refreshSeconds: number;
  /** The creator's id, which no other carrier may give to anybody. */
  openId: string;
  /** Grants have TikTok's names: `video.upload` for drafts, `video.publish`, `video.list` for numbers. */
  scopes: string[];
};

export type UserInfo = { username: string | null; displayName: string | null; avatarUrl: string | null };

export type CreatorInfo = {
  username: string | null;
  displayName: string | null;
  privacyLevels: PrivacyLevel[];
  commentDisabled: boolean;
};

export type PhotoPost = {
  mode: ScheduleMode;
  title: string;
  description: string;
  privacyLevel: PrivacyLevel | null;
  disableComment: boolean;
  autoAddMusic: boolean;
  brandOrganic: boolean;
  brandedContent: boolean;
  aiGenerated: boolean;
  imageUrls: string[];
};

/** Status calls and webhooks report outcomes in one shape. */
export type PlatformOutcome =
  | { kind: 'inbox' }
  | { kind: 'complete'; postId: string | null }
  | { kind: 'failed'; reason: string }
  /** The platform no longer shows a public post. */
  | { kind: 'hidden'; postId: string | null }
  | { kind: 'open' };

/** Running totals of a post; null: the platform does not say. */
export type PostNumbers = {
  views: number;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  publishedAt: Date | null;
};

/** Nobody asks a carrier for the numbers of more posts at once. */
export const postsPerCallMax = 20;

/** A platform's code or reason in words for the owner. */
export type Reason = {
  category: ScheduleFailure['category'];
  retryable: boolean;
  message: string;
  code?: string;
  /**
   * What passes by itself: after it a post is sent again automatically. Only for a trouble of which the
   * platform's own list says that a retry may help and needs nobody to act.
   */
  passing?: string;
};

/**
 * Refusals of which the protocol takes note have these codes: `access_token_invalid`, `scope_not_authorized`,
 * `rate_limit_exceeded`, `invalid_grant`, `photo_pull_failed`. Others are looked up in `reasons`.
 */
export type Carrier = {
  /** Owners read it in sentences. */
  name: string;
  slides: SlideLimits;
  reasons: Readonly<Record<string, Reason>>;

  /** @param verifier null: no proof key is used */
  authorizeUrl(redirectUri: string, state: string, verifier: string | null): string;
  exchangeCode(code: string, redirectUri: string, verifier: string | null): Promise<Answer<Tokens>>;
  refreshTokens(refreshToken: string): Promise<Answer<Tokens> | { kind: 'busy' }>;
  revokeToken(accessToken: string): Promise<Answer<unknown>>;
  getUserInfo(token: string, scopes: readonly string[]): Promise<Answer<UserInfo>>;
  /** What the account may post now. "Cannot post now" is a refusal. */
  getCreatorInfo(token: string): Promise<Answer<CreatorInfo>>;

  /**
   * Hands over a post whose slides the platform downloads from `imageUrls`, which are this call's own. It is
   * never called again for a call that may have become a post.
   * @param mayStart called just before the first byte is sent; false: `unreachable`, nothing was sent.
   */
  send(token: string, post: PhotoPost, mayStart: () => boolean): Promise<Answer<{ publishId: string }>>;
  getOutcome(token: string, publishId: string): Promise<Answer<PlatformOutcome>>;
  postUrl(username: string, postId: string): string | null;
  /** What is not the account's, or not public, is missing from the answer. */
  readNumbers(token: string, postIds: readonly string[]): Promise<Answer<Map<string, PostNumbers>>>;
  close(): Promise<void>;
};

/** Accounts name their carrier. */
export type Carriers = { tiktok: Carrier } & Readonly<Record<string, Carrier>>;

export function carrierOf({ carriers }: { carriers: Carriers }, { carrier }: { carrier: string }): Carrier {
  const found = carriers[carrier];
  if (!found) throw new Error(`no adapter of the carrier ${carrier} is installed`);
  return found;
}
