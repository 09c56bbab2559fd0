/**
 * A run of a schedule ends, or another begins: the row must be locked, and earlier claims no longer count.
 */
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { WriteContext } from '../context.ts';
import { scheduleColumns } from './queries.ts';
import type { ScheduleRow } from './record.ts';

export function setFailed(
  { tx, now }: WriteContext,
  id: string,
  failure: ScheduleFailure,
): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'failed', failure = $2, due_at = null, lease_until = null, held_since = null, updated_at = $3
     where id = $1 returning ${scheduleColumns}`,
    [id, failure, now],
  );
}

export type SentPost = {
  outcome: 'sent_to_drafts' | 'published';
  postId: string | null;
  postUrl: string | null;
};

export function setSent(
  { tx, now }: WriteContext,
  id: string,
  { outcome, postId, postUrl }: SentPost,
): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'sent', failure = null, outcome = $2, platform_post_id = $3, platform_post_url = $4, sent_at = $5, due_at = null,
       lease_until = null, held_since = null, updated_at = $5
     where id = $1 returning ${scheduleColumns}`,
    [id, outcome, postId, postUrl, now],
  );
}

export type PhonePost = Pick<ScheduleRow, 'contentVersion' | 'title' | 'description'>;

/** No sender looks at it again: a person ends it, puts it off or withdraws it. */
export function setDue({ tx, now }: WriteContext, id: string, post: PhonePost): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'due', content_version = $2, title = $3, description = $4, due_at = null, lease_until = null,
       held_since = null, updated_at = $5
     where id = $1 returning ${scheduleColumns}`,
    [id, post.contentVersion, post.title, post.description, now],
  );
}

/** The sender asks for the decision, whose event may be lost. */
export function setHeld({ tx, now }: WriteContext, id: string): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'pending', held_since = $2, due_at = clock_timestamp() + interval '1 minute', lease_until = null,
       tries = 0, resends = 0, updated_at = $2
     where id = $1 returning ${scheduleColumns}`,
    [id, now],
  );
}

/** The first public id is kept: a draft may become several posts. */
export function setPostId(
  { tx, now }: WriteContext,
  id: string,
  { postId, postUrl }: { postId: string; postUrl: string | null },
): Promise<boolean> {
  return tx.exists(
    `update schedules set platform_post_id = $2, platform_post_url = $3, updated_at = $4
     where id = $1 and status = 'sent' and platform_post_id is null returning 1`,
    [id, postId, postUrl, now],
  );
}

export function returnToPending({ tx, now }: WriteContext, id: string, inMs: number): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'pending', due_at = clock_timestamp() + $2 * interval '1 ms', lease_until = null, updated_at = $3
     where id = $1 returning ${scheduleColumns}`,
    [id, inMs, now],
  );
}

/** The request that created the schedule no longer waits for it. */
export function requeueSchedule({ tx, now }: WriteContext, id: string, inMs: number): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'pending', due_at = clock_timestamp() + $2 * interval '1 ms', lease_until = null,
       resends = resends + 1, is_immediate = false, updated_at = $3
     where id = $1 returning ${scheduleColumns}`,
    [id, inMs, now],
  );
}
