/**
 * Each change of a schedule's state has its timeline row and, where another service needs it, its event, in
 * the transaction that holds the row's lock. Claims by a sender have neither. `states.rules.ts` has the
 * changes allowed from each state.
 */
import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { EventDefinition } from '@hookline/shared/events';
import {
  scheduleCreated,
  scheduleDeleted,
  scheduleDue,
  scheduleFailed,
  schedulePublished,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { isUniqueViolation, type Sql, type Transaction } from '@hookline/shared/postgres';
import { wakeSenders } from '../channels.ts';
import type { WriteContext } from '../context.ts';
import { countEnd } from '../metrics.ts';
import {
  findSameSlides,
  insertSchedule,
  lockAccount,
  removeSchedule,
  reopenSchedule,
  replaceSchedule,
  type Slides,
  setScheduledFor,
  wasSent,
} from './queries.ts';
import {
  type PhonePost,
  requeueSchedule,
  type SentPost,
  setDue,
  setFailed,
  setHeld,
  setSent,
} from './queries-ends.ts';
import { addTimeline } from './queries-timeline.ts';
import { type NewSchedule, type ScheduleRow, toSchedule } from './record.ts';
import { requireTransition } from './states.rules.ts';

async function publish(
  { tx, now }: WriteContext,
  definition: EventDefinition<typeof scheduleCreated.data>,
  row: ScheduleRow,
): Promise<void> {
  await appendEvent(tx, definition, {
    accountId: row.accountId,
    subject: row.id,
    source: 'scheduling',
    at: now,
    data: { schedule: toSchedule(row), firingId: row.firingId },
  });
}

/** Call it as the last step. @throws ApiError `already_scheduled`, for an automation also `already_sent` */
export async function addSchedule(tx: Transaction, row: NewSchedule): Promise<ScheduleRow> {
  const ctx = { tx, now: row.createdAt };
  const inserted = await writeAlone(tx, row, () => insertSchedule(tx, row));
  // A person may ask for a second post; a request that comes late may not make one. From here on nobody
  // else can insert a schedule of this content and account, so none can be sent after this look.
  if (row.firingId !== null && (await wasSent(tx, row))) throw new ApiError('already_sent');
  const detail = `for ${inserted.scheduledFor.toISOString()}, ${inserted.mode}`;
  await addTimeline(ctx, inserted.id, 'created', detail);
  await publish(ctx, scheduleCreated, inserted);
  wakeSenders(tx);
  return inserted;
}

/** The second of two decks that differ by their hooks alone would not count where both are on one account. */
export async function refusalOfSlides(sql: Sql, slides: Slides, at: Date): Promise<ApiError | null> {
  const other = await findSameSlides(sql, slides, at);
  if (!other) return null;
  const message = `The account has the slides of this deck already, by ${other.scheduleId} at ${other.at.toISOString()}: within 90 days a copy does not count in its experiment. Choose another account.`;
  return new ApiError('already_scheduled', message);
}

/**
 * A content can wait for an account only once, and a compared deck only without a copy of it. The account is locked
 * before the write, which waits for whoever writes the same pair and may want that lock.
 * @throws ApiError `already_scheduled`, `account_not_found`
 */
async function writeAlone(
  tx: Transaction,
  { isCompared, platformAccountId }: Pick<ScheduleRow, 'isCompared' | 'platformAccountId'>,
  write: () => Promise<ScheduleRow>,
): Promise<ScheduleRow> {
  if (!(await lockAccount(tx, platformAccountId))) throw new ApiError('account_not_found');
  try {
    const written = await write();
    const refusal = isCompared ? await refusalOfSlides(tx, written, written.scheduledFor) : null;
    if (refusal) throw refusal;
    return written;
  } catch (error) {
    if (isUniqueViolation(error, 'schedules_one_waiting')) {
      throw new ApiError('already_scheduled', undefined, { cause: error });
    }
    throw error;
  }
}

export async function failSchedule(
  ctx: WriteContext,
  row: ScheduleRow,
  failure: ScheduleFailure,
): Promise<void> {
  requireTransition('failed', row);
  const failed = await setFailed(ctx, row.id, failure);
  countEnd(row, 'failed', failure.category);
  await addTimeline(ctx, row.id, 'failed', `${failure.code}: ${failure.message}`);
  await publish(ctx, scheduleFailed, failed);
  wakeSenders(ctx.tx);
}

type Resend = { pauseMs: number; why: string };

/** With the event content's permit is released: the approval can be withdrawn while the schedule waits. */
export async function sendAgainLater(
  ctx: WriteContext,
  row: ScheduleRow,
  { pauseMs, why }: Resend,
): Promise<void> {
  requireTransition('requeued', row);
  const waiting = await requeueSchedule(ctx, row.id, pauseMs);
  await addTimeline(ctx, row.id, 'requeued', why);
  await publish(ctx, scheduleRequeued, waiting);
  wakeSenders(ctx.tx);
}

/** With the event content releases its permit, and knows that the schedule waits. */
export async function publishRequeued(ctx: WriteContext, waiting: ScheduleRow): Promise<void> {
  await publish(ctx, scheduleRequeued, waiting);
}

/** A person posts it by phone from here on. */
export async function handOver(ctx: WriteContext, row: ScheduleRow, post: PhonePost): Promise<void> {
  requireTransition('handed_over', row);
  const due = await setDue(ctx, row.id, post);
  await addTimeline(ctx, row.id, 'due', `version ${post.contentVersion} waits for somebody to post it`);
  await publish(ctx, scheduleDue, due);
}

/** Nobody is to post the version that was due, or about to be: its content waits for another decision. */
export async function holdSchedule(ctx: WriteContext, row: ScheduleRow): Promise<void> {
  requireTransition('held', row);
  const waiting = await setHeld(ctx, row.id);
  await addTimeline(ctx, row.id, 'held', 'waits for the approval of its content');
  if (row.status === 'due') await publishRequeued(ctx, waiting);
}

export async function finishSchedule(
  ctx: WriteContext,
  row: ScheduleRow,
  sent: SentPost,
  change: 'sent' | 'posted' = 'sent',
): Promise<ScheduleRow> {
  requireTransition(change, row);
  const done = await setSent(ctx, row.id, sent);
  countEnd(row, sent.outcome, null);
  await addTimeline(ctx, row.id, 'sent', sent.outcome);
  await publish(ctx, sent.outcome === 'published' ? schedulePublished : scheduleSentToDrafts, done);
  wakeSenders(ctx.tx);
  return done;
}

/**
 * Other services do not depend on the time: there is an event only for what was due.
 * @throws ApiError `already_scheduled` where a copy that it is compared with comes too close
 */
export async function postponeSchedule(
  ctx: WriteContext,
  row: ScheduleRow,
  to: { scheduledFor: Date; keyId: string | null },
): Promise<ScheduleRow> {
  requireTransition('moved', row);
  const moved = await writeAlone(ctx.tx, row, () => setScheduledFor(ctx, row.id, to));
  await addTimeline(ctx, row.id, 'moved', `to ${to.scheduledFor.toISOString()}`);
  if (row.status === 'due') await publishRequeued(ctx, moved);
  wakeSenders(ctx.tx);
  return moved;
}

/** @throws ApiError `already_scheduled` where its content waits for the new account too */
export async function rewriteSchedule(
  ctx: WriteContext,
  row: ScheduleRow,
  after: NewSchedule,
  what: string,
): Promise<ScheduleRow> {
  requireTransition('moved', row);
  const changed = await writeAlone(ctx.tx, after, () => replaceSchedule(ctx, after));
  await addTimeline(ctx, row.id, 'changed', what);
  if (row.status === 'due') await publishRequeued(ctx, changed);
  wakeSenders(ctx.tx);
  return changed;
}

/** A failed schedule is due at once. @throws ApiError `already_scheduled` */
export async function resumeSchedule(
  ctx: WriteContext,
  row: ScheduleRow,
  keyId: string | null,
): Promise<ScheduleRow> {
  requireTransition('retried', row);
  const reopened = await writeAlone(ctx.tx, row, () => reopenSchedule(ctx, row.id, keyId));
  await addTimeline(ctx, row.id, 'retried');
  await publishRequeued(ctx, reopened);
  wakeSenders(ctx.tx);
  return reopened;
}

export async function withdrawSchedule(ctx: WriteContext, row: ScheduleRow): Promise<void> {
  requireTransition('withdrawn', row);
  await publish(ctx, scheduleDeleted, { ...row, updatedAt: ctx.now });
  await removeSchedule(ctx.tx, row.id);
}
