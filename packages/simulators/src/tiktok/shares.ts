import { pause, type World } from '../world.ts';
import { newPostId, newPublishId } from './ids.ts';
import type { PhotoInit } from './init-rules.ts';
import type { PulledImage, Share } from './share.ts';
import { type Creator, isPublicCreator } from './state.ts';
import { emitPublish } from './webhooks.ts';

// Two months of a busy simulator; the oldest are dropped first, final or not.
const sharesMax = 50_000;

/** Stores the accepted init. The fault `late_pull` delays its first image request, across a restart too. */
export function insertShare(world: World, creator: Creator, init: PhotoInit, pullAt: number): Share {
  const share: Share = {
    publishId: newPublishId(),
    postId: newPostId(),
    username: creator.username,
    status: 'PROCESSING_DOWNLOAD',
    failReason: null,
    ...init,
    images: [],
    createdAt: world.now(),
    pullAt,
    arrivedAt: null,
    isDraftOpen: init.mode === 'MEDIA_UPLOAD',
    publicAt: null,
    isPublic: false,
  };
  const { shares } = world.tiktok;
  shares.put(share.publishId, share);
  shares.trim(sharesMax);
  return share;
}

/** All images are here: moves the share to the inbox, or publishes it. Does nothing when it has ended since. */
export function completeShare(world: World, publishId: string, images: PulledImage[]): void {
  const share = processing(world, publishId);
  if (share === null) return;
  const now = world.now();
  if (share.mode === 'DIRECT_POST') {
    const publicAt =
      share.privacyLevel === 'PUBLIC_TO_EVERYONE' ? now + world.settings.moderationDelayMs : null;
    save(world, { ...share, status: 'PUBLISH_COMPLETE', images, arrivedAt: now, publicAt });
    emitPublish(world, share, 'post.publish.complete');
  } else {
    save(world, { ...share, status: 'SEND_TO_USER_INBOX', images, arrivedAt: now });
    emitPublish(world, share, 'post.publish.inbox_delivered');
  }
  armShare(world, publishId);
}

/** Ends a download as FAILED with the reason, and sends a webhook. */
export function failShare(world: World, publishId: string, failReason: string): void {
  const share = processing(world, publishId);
  if (share === null) return;
  save(world, { ...share, status: 'FAILED', failReason, isDraftOpen: false });
  emitPublish(world, share, 'post.publish.failed', { reason: failReason });
}

export function failSharesOf(world: World, username: string, failReason: string): void {
  for (const share of world.tiktok.shares.of(username)) failShare(world, share.publishId, failReason);
}

/**
 * The creator finishes a draft in the app, or posts once more from it. Returns false when there is no such
 * draft in the inbox.
 */
export function publishDraft(world: World, publishId: string): boolean {
  const share = world.tiktok.shares.get(publishId);
  if (share?.mode === 'MEDIA_UPLOAD' && share.status === 'PUBLISH_COMPLETE') return postAgain(world, share);
  if (share === undefined || share.status !== 'SEND_TO_USER_INBOX' || !share.isDraftOpen) return false;
  const creator = world.tiktok.creators.get(share.username);
  const isPublic = creator !== undefined && isPublicCreator(creator);
  const privacyLevel = isPublic ? 'PUBLIC_TO_EVERYONE' : 'FOLLOWER_OF_CREATOR';
  const publicAt = isPublic ? world.now() + world.settings.moderationDelayMs : null;
  save(world, {
    ...share,
    status: 'PUBLISH_COMPLETE',
    privacyLevel,
    isDraftOpen: false,
    publicAt,
  });
  emitPublish(world, share, 'post.publish.complete');
  armShare(world, publishId);
  return true;
}

// One draft may become several posts: the same publish_id, another post_id.
function postAgain(world: World, share: Share): boolean {
  const postId = newPostId();
  save(world, { ...share, morePostIds: [...(share.morePostIds ?? []), postId] });
  emitPublish(world, share, 'post.publish.complete');
  if (share.publicAt !== null) {
    at(world, world.now() + world.settings.moderationDelayMs, () =>
      emitPublish(world, share, 'post.publish.publicly_available', { postId }),
    );
  }
  return true;
}

/** The post is taken down, by its creator or by TikTok. Returns false when it was not public. */
export function takeDown(world: World, publishId: string): boolean {
  const share = world.tiktok.shares.get(publishId);
  if (!share?.isPublic) return false;
  save(world, { ...share, isPublic: false, publicAt: null });
  // Misspelt in TikTok's API.
  emitPublish(world, share, 'post.publish.no_longer_publicaly_available', { postId: share.postId });
  return true;
}

/** Sets the timers of a share's pending steps; called after each step and once at start. */
export function armShare(world: World, publishId: string): void {
  const share = world.tiktok.shares.get(publishId);
  if (share === undefined) return;
  if (share.publicAt !== null && !share.isPublic)
    at(world, share.publicAt, () => makePublic(world, publishId));
}

function makePublic(world: World, publishId: string): void {
  const share = world.tiktok.shares.get(publishId);
  if (share === undefined || share.isPublic) return;
  save(world, { ...share, isPublic: true });
  emitPublish(world, share, 'post.publish.publicly_available', { postId: share.postId });
}

function at(world: World, dueAt: number, act: () => void): void {
  void pause(world, dueAt - world.now()).then(() => {
    if (!world.stopped.signal.aborted) act();
  });
}

function processing(world: World, publishId: string): Share | null {
  const share = world.tiktok.shares.get(publishId);
  return share?.status === 'PROCESSING_DOWNLOAD' ? share : null;
}

function save(world: World, share: Share): void {
  world.tiktok.shares.put(share.publishId, share);
}
