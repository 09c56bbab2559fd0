import type { Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { scheduleColumns } from '../schedules/queries.ts';
import type { ScheduleRow } from '../schedules/record.ts';

type Approved = { contentId: string; version: number; title: string; description: string };

/** Somebody posts the slides of the newest approved version, so its texts must be beside them. */
export async function renewPhonePosts(
  { tx, now }: WriteContext,
  { contentId, version, title, description }: Approved,
): Promise<void> {
  await tx.query(
    `with before as (
       select id, content_version from schedules
       where content_id = $1 and content_version < $2 and mode = 'phone' and status in ('pending', 'due')
       order by id for update
     ),
     timeline as (
       insert into schedule_timeline (schedule_id, at, what, detail)
       select id, $5, 'version_changed',
         'version ' || content_version || ' was edited; version ' || $2 || ' is to be posted'
       from before
     )
     update schedules s
     set content_version = $2, title = case when is_title_given then title else $3 end,
       description = case when is_description_given then description else $4 end, updated_at = $5
     from before where s.id = before.id`,
    [contentId, version, title, description, now],
  );
}

export type Edit = { contentId: string; version: number; sequence: number };

/** What is due on a phone in an older version, or about to be, unless a later approval was heard of. */
export function lockHandedOver(
  tx: Transaction,
  { contentId, version, sequence }: Edit,
): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(
    `select ${scheduleColumns} from schedules
     where content_id = $1 and content_version < $2 and coalesce(approved_sequence, 0) < $3
       and mode = 'phone' and status in ('sending', 'due')
     order by id for update`,
    [contentId, version, sequence],
  );
}
