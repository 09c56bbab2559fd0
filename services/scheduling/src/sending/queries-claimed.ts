/** All times are the database's clock. */
import { columnsOf, type Transaction } from '@hookline/shared/postgres';
import type { AttemptContent } from '../attempts/record.ts';
import type { WriteContext } from '../context.ts';
import { sendingIsOn, workspaceSends } from '../pauses/queries.ts';
import type { Claim } from './queries.ts';

export type ClaimedState = { ownsClaim: boolean; isDue: boolean };

export async function checkClaim(tx: Transaction, claim: Claim): Promise<ClaimedState> {
  const [row] = await tx.query<ClaimedState>(
    `select fence = $2 and lease_until is not null as "ownsClaim",
       coalesce(due_at <= clock_timestamp(), false) as "isDue"
     from schedules where id = $1`,
    [claim.id, claim.fence],
  );
  return row ?? { ownsClaim: false, isDue: false };
}

/** The schedule is due again after `inMs`. */
export function defer(tx: Transaction, claim: Claim, inMs: number, countsAsTry: boolean): Promise<boolean> {
  return tx.exists(
    `update schedules
     set due_at = clock_timestamp() + $3 * interval '1 ms', lease_until = null,
       tries = tries + case when $4 then 1 else 0 end
     where id = $1 and fence = $2 and lease_until is not null
     returning 1`,
    [claim.id, claim.fence, inMs, countsAsTry],
  );
}

export async function release(tx: Transaction, claim: Claim): Promise<void> {
  const values = [claim.id, claim.fence];
  await tx.query('update schedules set lease_until = null where id = $1 and fence = $2', values);
}

export async function addTry(tx: Transaction, claim: Claim): Promise<void> {
  const values = [claim.id, claim.fence];
  await tx.query('update schedules set tries = tries + 1 where id = $1 and fence = $2', values);
}

/** An attempt's outcome is pending: there is no next due time. */
export function park(tx: Transaction, claim: Claim): Promise<boolean> {
  return tx.exists(
    `update schedules set due_at = null, lease_until = null
     where id = $1 and fence = $2 and lease_until is not null returning 1`,
    [claim.id, claim.fence],
  );
}

/** The decision's event normally comes before `inMs`. */
export async function hold({ tx, now }: WriteContext, claim: Claim, inMs: number): Promise<void> {
  await tx.query(
    `update schedules
     set status = 'pending', held_since = coalesce(held_since, $4), lease_until = null, tries = 0, resends = 0,
       due_at = clock_timestamp() + $3 * interval '1 ms', updated_at = $4
     where id = $1 and fence = $2`,
    [claim.id, claim.fence, inMs, now],
  );
}

export type NewAttempt = Claim & AttemptContent & { attemptId: string; openId: string; mediaDigest: Buffer };

export type CallState = {
  /** Creators with an open call send nothing else. */
  callers: Set<string>;
  isSendingOn: boolean;
  /** Schedules of workspaces that send. */
  going: Set<string>;
};

export async function readCallState(
  tx: Transaction,
  openIds: readonly string[],
  scheduleIds: readonly string[],
): Promise<CallState> {
  const row = await tx.only<{ callers: string[]; isSendingOn: boolean; going: string[] }>(
    `select ${sendingIsOn} as "isSendingOn", array(
       select s.id from schedules s where s.id = any($2::text[]) and ${workspaceSends('s.account_id')}
     ) as going, array(
       select open_id from attempts
       where open_id = any($1::text[]) and state in ('calling', 'unconfirmed')
     ) as callers`,
    [openIds, scheduleIds],
  );
  return { ...row, callers: new Set(row.callers), going: new Set(row.going) };
}

/** The schedules' rows must be locked. */
export async function insertAttempts(
  { tx, now }: WriteContext,
  attempts: readonly NewAttempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  await tx.query(
    `with begun as (
       select * from jsonb_to_recordset($1::jsonb) as b (
         id text, fence integer, "attemptId" text, "openId" text, "mediaDigest" text, "imageIds" jsonb,
         "contentVersion" integer, title text, description text, "disableComment" boolean)
     ),
     prepared as (
       update schedules s
       set content_version = b."contentVersion", title = b.title, description = b.description,
         disable_comment = b."disableComment", cover_image_id = b."imageIds"->>0
       from begun b where s.id = b.id and s.fence = b.fence
     ),
     timeline as (
       insert into schedule_timeline (schedule_id, at, what, detail)
       select s.id, $2::timestamptz, 'version_changed',
         'version ' || s.content_version || ' was edited; version ' || b."contentVersion" || ' is sent'
       from begun b join schedules s on s.id = b.id where s.content_version <> b."contentVersion"
       union all
       select id, $2, 'attempt_started', "attemptId" from begun
     )
     insert into attempts (id, schedule_id, open_id, fence, state, media_digest, image_ids, started_at)
     select "attemptId", id, "openId", fence, 'calling', decode("mediaDigest", 'hex'),
       array(select value from jsonb_array_elements_text("imageIds") with ordinality as image (value, nth) order by nth),
       $2
     from begun`,
    [
      JSON.stringify(
        attempts.map(attempt => ({ ...attempt, mediaDigest: attempt.mediaDigest.toString('hex') })),
      ),
      now,
    ],
  );
}

/**
 * These closed attempts got the ids only from a report of a failure: the platform's answer names their owner.
 */
export async function takeIdsFromClosed(tx: Transaction, publishIds: readonly string[]): Promise<void> {
  await tx.query(
    `update attempts set publish_id = null where publish_id = any($1::text[]) and state in ('fenced', 'refused', 'unreachable')`,
    [publishIds],
  );
}

export type Accepted = { scheduleId: string; attemptId: string; publishId: string };

/** An attempt that a webhook has since settled stays as it is. The schedules' rows must be locked. */
export async function setAttemptsAccepted(
  { tx, now }: WriteContext,
  accepted: readonly Accepted[],
  pollInMs: number,
): Promise<void> {
  await tx.query(
    `with accepted as (
       select * from unnest($1::text[], $2::text[], $3::text[]) as a (schedule_id, attempt_id, publish_id)
     ),
     timeline as (
       insert into schedule_timeline (schedule_id, at, what, detail)
       select schedule_id, $5, 'accepted', publish_id from accepted
     )
     update attempts t
     set state = 'accepted', publish_id = a.publish_id, polls = 0,
       next_poll_at = clock_timestamp() + $4 * interval '1 ms'
     from accepted a
     where t.id = a.attempt_id and t.state in ('calling', 'unconfirmed')
       and (t.publish_id is null or t.publish_id = a.publish_id)`,
    [...columnsOf(accepted, 'scheduleId', 'attemptId', 'publishId'), pollInMs, now],
  );
}
