/** Commits a batch of attempts, each with its own links, before their calls (step 1 of the protocol). */
import { randomBytes } from 'node:crypto';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Database } from '@hookline/shared/postgres';
import { takeInitSlots } from '../attempts/queries-pace.ts';
import type { AttemptContent } from '../attempts/record.ts';
import type { WriteContext } from '../context.ts';
import type { DatabaseWatch } from '../pauses/watch.ts';
import { returnToPending } from '../schedules/queries-ends.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import { publishRequeued } from '../schedules/transition.ts';
import { type Claim, lockClaims, lockCreators } from './queries.ts';
import { defer, insertAttempts, readCallState } from './queries-claimed.ts';

export type Beginning = { claim: Claim; openId: string; content: AttemptContent };
/**
 * A null began nothing: another call of the creator is open, sending is paused, or another worker took over.
 */
export type Begun = { id: string; imageUrls: string[] } | null;

// The end of another schedule's open call wakes the senders anyway.
const blockedMs = 1_000;

export type BeginDeps = {
  db: Database;
  now: () => Date;
  publicUrl: string;
  /** Tests of the batch alone leave it out. */
  watch?: Pick<DatabaseWatch, 'check' | 'remember'>;
};

/** There is one result per beginning, in order. */
export async function beginAttempts(
  { db, now, publicUrl, watch }: BeginDeps,
  beginnings: readonly Beginning[],
): Promise<Begun[]> {
  const drafts = beginnings.map(beginning => ({
    ...beginning,
    attemptId: newId('attempt', now().getTime()),
    linkToken: randomBytes(24).toString('base64url'),
  }));
  const { attempts, standing } = await db.transaction(async tx => {
    const validIds = await lockClaims(
      tx,
      drafts.map(draft => draft.claim),
    );
    const valid = drafts.filter(draft => validIds.has(draft.claim.id));
    const openIds = [...new Set(valid.map(draft => draft.openId))];
    await lockCreators(tx, openIds);
    // A creator's second attempt in a batch finds the first one's call open.
    const [{ callers, isSendingOn, going }, standing] = await Promise.all([
      readCallState(tx, openIds, [...validIds]),
      watch?.check(tx),
    ]);
    const mayCall = isSendingOn && standing !== null;
    const ctx = { tx, now: now() };
    const willing = mayCall ? valid.filter(({ claim }) => going.has(claim.id)) : [];
    for (const draft of valid) {
      if (!willing.includes(draft)) await releaseClaimed(ctx, draft.claim.id, standing !== null);
    }
    const free = willing.filter(({ openId }) => !callers.has(openId) && callers.add(openId));
    const slots = await takeInitSlots(
      tx,
      free.map(draft => draft.openId),
    );
    const waits = new Map(slots.map(({ openId, waitMs }) => [openId, waitMs]));
    const begun = free.filter(draft => waits.get(draft.openId) === 0);
    for (const { claim, openId } of willing) {
      const isBegun = begun.some(draft => draft.claim.id === claim.id);
      if (isBegun) continue;
      const waitMs = waits.get(openId) || blockedMs;
      const isPaced = free.some(draft => draft.claim.id === claim.id);
      if (isPaced) {
        const detail = `${Math.ceil(waitMs / 1_000)} s until the account's next post`;
        await addTimeline(ctx, claim.id, 'paced', detail);
      }
      await defer(tx, claim, isPaced ? waitMs : blockedMs, false);
    }
    await insertAttempts(
      ctx,
      begun.map(({ claim, openId, attemptId, linkToken, content }) => ({
        id: claim.id,
        fence: claim.fence,
        attemptId,
        openId,
        mediaDigest: sha256(linkToken),
        imageIds: content.imageIds,
        contentVersion: content.contentVersion,
        title: content.title,
        description: content.description,
        disableComment: content.disableComment,
      })),
    );
    const attempts = drafts.map(draft => {
      if (!begun.includes(draft)) return null;
      const links = `${publicUrl}/media/posts/${draft.linkToken}`;
      return { id: draft.attemptId, imageUrls: draft.content.imageIds.map((_, at) => `${links}/${at + 1}`) };
    });
    return { attempts, standing };
  });
  const ids = attempts.flatMap(attempt => attempt?.id ?? []);
  if (standing && ids.length > 0) await watch?.remember(standing, ids);
  return attempts;
}

/**
 * A schedule that was claimed before the pause waits as `pending`: it can be withdrawn or moved, and its
 * event releases content's permit. A database that may have gone back publishes none: its number could be the
 * one of an event that was lost, which the watch would then take for known.
 */
async function releaseClaimed(ctx: WriteContext, id: string, isCertain: boolean): Promise<void> {
  const waiting = await returnToPending(ctx, id, blockedMs);
  if (isCertain) await publishRequeued(ctx, waiting);
}
