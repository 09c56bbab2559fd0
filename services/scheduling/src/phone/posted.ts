/** A person says that the post is out. Only this ends a schedule of mode `phone` as sent. */

import { findLastSequence } from '@hookline/shared/bus';
import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { defaultDescription, defaultTitle } from '../creating/texts.rules.ts';
import type { SchedulingDeps } from '../deps.ts';
import { findSchedule, limitLockWait, lockSchedule } from '../schedules/queries.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { requireOwnersChange } from '../schedules/states.rules.ts';
import { finishSchedule } from '../schedules/transition.ts';
import { addPostUrl, setVersion } from './queries.ts';

type OwnSchedule = { caller: Caller; id: string };

/**
 * @param version that was posted; undefined for the newest approved one
 * @returns null for what is sent
 * @throws ApiError `not_found`, `not_approved`; `invalid_request` for another mode, and for one that failed
 */
export async function askToPost(
  deps: SchedulingDeps,
  { caller, id, version }: OwnSchedule & { version: number | undefined },
): Promise<EventContent | null> {
  // The sequence is read first: the event of an end in between is newer, and releases the permit.
  const afterSequence = await findLastSequence(deps.db, 'schedule', id);
  const row = requirePhone(await findSchedule(deps.db, caller.accountId, id));
  if (row.status === 'sent') return null;
  requireOwnersChange('posted', row);
  return await getPermitted(deps, row, { afterSequence, version });
}

/** `out`: the version that is out, under a permit. */
type Posted = OwnSchedule & { out: EventContent | null; url: string | null };

/** The second of two people at once finds it sent, and gets the same record. @throws ApiError as `askToPost` */
export async function markPosted(
  { now }: SchedulingDeps,
  tx: Transaction,
  { caller, id, out, url }: Posted,
): Promise<ScheduleRow> {
  await limitLockWait(tx);
  const row = requirePhone(await lockSchedule(tx, caller.accountId, id));
  const ctx = { tx, now: now() };
  if (!out || row.status === 'sent') {
    return url !== null && row.platformPostUrl === null ? await addPostUrl(ctx, row, url) : row;
  }
  requireOwnersChange('posted', row);
  if (out.version !== row.contentVersion) await changeVersion(ctx, row, out);
  const who = caller.actor?.name ?? 'somebody';
  await addTimeline(ctx, id, 'posted_by_hand', `version ${out.version}, says ${who}`);
  const sent = { outcome: 'published', postId: null, postUrl: url } as const;
  return await finishSchedule(ctx, row, sent, 'posted');
}

function requirePhone(row: ScheduleRow | null): ScheduleRow {
  if (!row) throw notFound('schedule');
  if (row.mode === 'phone') return row;
  throw invalidRequest('id must be the id of a schedule of mode "phone"; this one is sent by itself');
}

async function changeVersion(
  ctx: WriteContext,
  row: ScheduleRow,
  { version, result }: EventContent,
): Promise<void> {
  const title = row.hasOwnTitle || !result ? row.title : defaultTitle(result);
  const description = row.hasOwnDescription || !result ? row.description : defaultDescription(result);
  await setVersion(ctx, row.id, { contentVersion: version, title, description });
  await addTimeline(
    ctx,
    row.id,
    'version_changed',
    `version ${row.contentVersion} was due; version ${version} is posted`,
  );
}

/** From the permit on the content cannot be decided on or edited; the schedule's next event releases it. */
async function getPermitted(
  { batches, db }: SchedulingDeps,
  { id: scheduleId, contentId, accountId }: ScheduleRow,
  { afterSequence, version }: { afterSequence: number; version: number | undefined },
): Promise<EventContent | null> {
  const permit = await batches.askPermit({ scheduleId, contentId, accountId, afterSequence, version });
  if (permit.granted) return permit.content;
  // It may have ended meanwhile, by another person's hand.
  const now = await findSchedule(db, accountId, scheduleId);
  if (now?.status === 'sent') return null;
  if (permit.code === 'not_approved' && permit.approvalStatus === 'approved') {
    throw new ApiError('not_approved', `version must be one that was approved; ${version} is not.`);
  }
  throw new ApiError('not_approved', refusals[permit.approvalStatus ?? 'gone']);
}

const refusals = {
  gone: 'The content is gone, so nothing of it may be posted.',
  pending: 'The content was edited and is not approved again, so it may not be posted.',
  rejected: 'The content was rejected, so it may not be posted.',
  approved: 'The schedule changed in this moment; read it again.',
};
