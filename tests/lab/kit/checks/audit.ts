/**
 * An independent witness in the database: triggers, installed by a superuser, that record which process
 * claimed a schedule, began an attempt or wrote to a timeline. Processes are identified by
 * `application_name`.
 */
import type { Database } from '@hookline/shared/postgres';

export type AuditRow = {
  /** Order of the writes; row locks make it the order in which a schedule changed. */
  seq: number;
  /** Epoch milliseconds, by the database's clock. */
  atMs: number;
  app: string;
  kind: 'claim' | 'attempt' | 'timeline';
  scheduleId: string;
  /** Claims and attempts. */
  fence: number | null;
  /** Timeline: the entry; attempts: the digest of their links, hex. */
  what: string | null;
};

/** The same database, under a name that the audit records. */
export function namedConnection(databaseUrl: string, app: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', app);
  return url.href;
}

const statements = [
  'create schema proof',
  `create table proof.audit (
     seq bigint generated always as identity, at timestamptz not null default clock_timestamp(),
     app text not null default current_setting('application_name'), kind text not null, schedule_id text not null,
     fence integer, what text)`,
  `create function proof.note() returns trigger language plpgsql security definer set search_path = proof as $$
   begin
     if tg_table_name = 'schedules' then
       insert into audit (kind, schedule_id, fence) values ('claim', new.id, new.fence);
     elsif tg_table_name = 'attempts' then
       insert into audit (kind, schedule_id, fence, what)
         values ('attempt', new.schedule_id, new.fence, encode(new.media_digest, 'hex'));
     else
       insert into audit (kind, schedule_id, what) values ('timeline', new.schedule_id, new.what);
     end if;
     return null;
   end $$`,
  `create trigger proof_claims after update on scheduling.schedules
   for each row when (new.fence <> old.fence) execute function proof.note()`,
  `create trigger proof_attempts after insert on scheduling.attempts for each row execute function proof.note()`,
  `create trigger proof_timeline after insert on scheduling.schedule_timeline
   for each row execute function proof.note()`,
];

export async function installAudit(db: Database): Promise<void> {
  for (const statement of statements) await db.query(statement);
}

export function readAudit(db: Database): Promise<AuditRow[]> {
  return db.query<AuditRow>(
    `select seq, (extract(epoch from at) * 1000)::float8 as "atMs", app, kind, schedule_id as "scheduleId", fence, what
     from proof.audit order by seq`,
  );
}
