import type { PhotoInit } from './init-rules.ts';
import type { ShareTable } from './share-table.ts';
import type { Client, Creator } from './state.ts';
import { isPublicCreator } from './state.ts';

const dayMs = 86_400_000;

// An unaudited client serves five creators in 24 hours; an audited one the number in its audit form, here
// unlimited.
const unauditedCreatorsMax = 5;

/** The "cannot post now" code that creator_info reports for this creator, or null. */
export function creatorState(
  creator: Creator,
  client: Client,
  shares: ShareTable,
  now: number,
): string | null {
  if (creator.banned) return 'spam_risk_user_banned_from_posting';
  if (isOverCreatorCap(creator, client, shares, now)) return 'reached_active_user_cap';
  if (!creator.canPost || directPostsToday(creator, shares, now) >= creator.postsPerDayMax) {
    return 'spam_risk_too_many_posts';
  }
  return null;
}

/**
 * The refusals between a well-formed init and its acceptance, in this simulator's order: banned, creator cap,
 * unaudited rule, privacy options. TikTok does not document its order, so no client may rely on it.
 */
export function accountRefusal(
  init: PhotoInit,
  creator: Creator,
  client: Client,
  shares: ShareTable,
  now: number,
): string | null {
  if (creator.banned) return 'spam_risk_user_banned_from_posting';
  if (isOverCreatorCap(creator, client, shares, now)) return 'reached_active_user_cap';
  if (init.mode === 'MEDIA_UPLOAD') return null;
  if (!client.audited && (isPublicCreator(creator) || init.privacyLevel !== 'SELF_ONLY')) {
    return 'unaudited_client_can_only_post_to_private_accounts';
  }
  const isOption = init.privacyLevel !== null && creator.privacyLevels.includes(init.privacyLevel);
  return isOption ? null : 'privacy_level_option_mismatch';
}

/** The cap that this init would exceed: direct posts in 24 hours, or open drafts of the last 24 hours. */
export function capRefusal(
  init: PhotoInit,
  creator: Creator,
  shares: ShareTable,
  now: number,
): string | null {
  if (init.mode === 'DIRECT_POST') {
    const isFull = !creator.canPost || directPostsToday(creator, shares, now) >= creator.postsPerDayMax;
    return isFull ? 'spam_risk_too_many_posts' : null;
  }
  if (!creator.canPost) return 'spam_risk_too_many_posts';
  return openDrafts(creator, shares, now) >= creator.openDraftsMax
    ? 'spam_risk_too_many_pending_share'
    : null;
}

export function directPostsToday(creator: Creator, shares: ShareTable, now: number): number {
  return shares
    .of(creator.username)
    .filter(
      share => share.mode === 'DIRECT_POST' && share.status !== 'FAILED' && share.createdAt > now - dayMs,
    ).length;
}

/** Open drafts of the last 24 hours, those still downloading included. */
export function openDrafts(creator: Creator, shares: ShareTable, now: number): number {
  return shares.of(creator.username).filter(share => share.isDraftOpen && share.createdAt > now - dayMs)
    .length;
}

function isOverCreatorCap(creator: Creator, client: Client, shares: ShareTable, now: number): boolean {
  if (client.audited) return false;
  const active = new Set(
    shares
      .values()
      .filter(share => share.createdAt > now - dayMs)
      .map(share => share.username),
  );
  return !active.has(creator.username) && active.size >= unauditedCreatorsMax;
}
