/** TikTok's webhooks come at least once, in any order, possibly before our own call was answered. */

import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { fieldsOf, parseExactJson, textOf } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import { disconnectCreator } from '../accounts/queries.ts';
import { tellNeedsReauth } from '../accounts/tokens.ts';
import { wakePolls } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import type { PlatformOutcome } from '../platform/carrier.rules.ts';
import { isSignedByPlatform } from '../platform/webhook-signature.rules.ts';
import { lockScheduleById } from '../schedules/queries.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import { outcomeOfEvent } from './outcomes.rules.ts';
import {
  findAttemptByPublishId,
  insertPlatformEvent,
  listAttemptsWithoutId,
  setAttemptAccepted,
  setPublishIdOfClosed,
} from './queries.ts';
import { settleInTransaction } from './settle.ts';
import { isClosedAttempt } from './states.rules.ts';

// The event's time has whole seconds, by the platform's clock.
const createdWithinMs = 5_000;

type PlatformEvent = {
  event: string;
  openId: string;
  createdAt: Date;
  publishId: string | null;
  postId: string | null;
  isOfDraft: boolean;
  reason: string | null;
};

/**
 * @throws ApiError `unauthorized` unless the platform signed this body; `invalid_request` if it is no event.
 */
export async function receivePlatformEvent(
  deps: SchedulingDeps,
  signature: unknown,
  body: Buffer,
): Promise<void> {
  if (!isSignedByPlatform(signature, body, deps.clientSecret, deps.now())) {
    throw new ApiError(
      'unauthorized',
      'TikTok-Signature must be a signature of this body, made within 5 minutes.',
    );
  }
  const event = readEvent(body);
  const about = event.publishId ?? '';
  const dedupeKey = [event.event, event.openId, about, event.postId ?? event.createdAt.getTime()].join(' ');
  await deps.db.transaction(async tx => {
    const now = deps.now();
    const row = { dedupeKey, event: event.event, openId: event.openId, publishId: event.publishId };
    if (!(await insertPlatformEvent(tx, row, now))) return;
    if (event.event === 'authorization.removed') {
      for (const account of await disconnectCreator({ tx, now }, event.openId, event.createdAt))
        await tellNeedsReauth({ tx, now }, account);
      return;
    }
    const outcome = outcomeOfEvent(event.event, event);
    const { publishId } = event;
    if (!outcome || !publishId) return;
    const owner = await findOwner(tx, deps, { ...event, publishId, outcome });
    if (owner) await settleInTransaction(tx, deps, { ...owner, outcome });
  });
}

/**
 * An unknown publish id can be that of a call whose answer was lost: while one is open, its creator sends
 * nothing else (step 4 of the protocol). `isIdSure` is false for such an id: it ends the call, but does not
 * justify a further one.
 */
async function findOwner(
  tx: Transaction,
  deps: SchedulingDeps,
  event: PlatformEvent & { publishId: string; outcome: PlatformOutcome },
): Promise<{ attemptId: string; isIdSure: boolean } | null> {
  const { publishId, outcome } = event;
  const owner = await findAttemptByPublishId(tx, publishId);
  if (owner) return { attemptId: owner.id, isIdSure: true };
  // A post was public before it is hidden, so its call is not the one that is open now.
  if (outcome.kind === 'hidden') return null;
  // The event's own time counts: one delivered hours late is about a call of that time.
  const createdMs = event.createdAt.getTime();
  const since = new Date(createdMs - 2 * deps.timings.settleWithinMs);
  const until = new Date(createdMs + createdWithinMs);
  const candidates = await listAttemptsWithoutId(tx, event.openId, { since, until });
  const closed = candidates.find(isClosedAttempt);
  if (outcome.kind === 'failed' && closed) {
    // A closed call that arrived ends as failed, because its links are gone. Such a report may be about it,
    // so it must not end another attempt, whose schedule could then be sent twice.
    await setPublishIdOfClosed(tx, closed.id, publishId);
    return null;
  }
  // Only pulled slides can have been delivered, so a report of success never belongs to a closed attempt.
  const open = candidates.filter(attempt => !isClosedAttempt(attempt) && attempt.pulledAt !== null);
  const [only] = open;
  if (!only || open.length > 1) return null;
  if (only.state === 'unknown' || only.scheduleId === null) return null;
  // A creator posts a draft days later too, and the answer of a call that still runs will name its own.
  if (only.state === 'calling' && outcome.kind === 'complete' && event.isOfDraft) return null;
  await lockScheduleById(tx, only.scheduleId);
  if (!(await setAttemptAccepted(tx, { id: only.id, publishId }, deps.timings.firstPollMs))) return null;
  await addTimeline({ tx, now: deps.now() }, only.scheduleId, 'found', `${event.event} names ${publishId}`);
  wakePolls(tx);
  return { attemptId: only.id, isIdSure: false };
}

function readEvent(body: Buffer): PlatformEvent {
  const fields = parse(body.toString('utf8'));
  const event = textOf(fields.event);
  const openId = textOf(fields.user_openid);
  const createdSeconds = Number(fields.create_time);
  if (!event || !openId || !Number.isFinite(createdSeconds)) {
    throw invalidRequest('body must be an event with event, user_openid and create_time');
  }
  // The content is JSON inside a string, with post ids as bare numbers above 2^53.
  const content = parse(textOf(fields.content) ?? '{}');
  const postId = content.post_id === undefined ? null : String(content.post_id);
  return {
    event,
    openId,
    createdAt: new Date(createdSeconds * 1_000),
    publishId: textOf(content.publish_id),
    postId: postId && /^\d+$/.test(postId) ? postId : null,
    isOfDraft: content.publish_type === 'INBOX_SHARE',
    reason: textOf(content.reason) ?? textOf(content.fail_reason),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    return fieldsOf(parseExactJson(text));
  } catch {
    throw invalidRequest('body must be JSON');
  }
}
