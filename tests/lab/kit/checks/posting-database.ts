/** The product's own record of its posts. */
import type { Database } from '@hookline/shared/postgres';

export type ScheduleInDatabase = {
  id: string;
  title: string;
  status: string;
  failureCode: string | null;
  /** The platform's own reason. */
  reason: string | null;
};

export type AttemptInDatabase = {
  id: string;
  scheduleId: string;
  state: string;
  mediaDigest: string;
  fence: number;
};

export type TimelineInDatabase = { scheduleId: string; what: string };

export type PostingDatabase = {
  schedules: ScheduleInDatabase[];
  attempts: AttemptInDatabase[];
  timeline: TimelineInDatabase[];
};

export async function readPostingDatabase(db: Database): Promise<PostingDatabase> {
  return {
    schedules: await db.query(
      `select id, title, status, failure->>'code' as "failureCode",
         failure->>'platformMessage' as reason
       from scheduling.schedules`,
    ),
    attempts: await db.query(
      `select id, schedule_id as "scheduleId", state, encode(media_digest, 'hex') as "mediaDigest", fence
       from scheduling.attempts`,
    ),
    timeline: await db.query(
      `select schedule_id as "scheduleId", what from scheduling.schedule_timeline order by id`,
    ),
  };
}
