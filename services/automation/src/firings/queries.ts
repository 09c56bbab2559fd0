import { type Page, pageValues } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { FiringRow, NewFiring, OpenFiringRow } from './record.ts';

export const firingColumns = `id, automation_id as "automationId", slot, status, approval_mode as "approvalMode",
  content_id as "contentId", schedule_id as "scheduleId", schedule_requested_at as "scheduleRequestedAt",
  reason, topic, created_at as "createdAt", updated_at as "updatedAt"`;

/** A slot that has its firing gets no second one. @returns the firings written */
export function insertFirings(tx: Transaction, firings: readonly NewFiring[]): Promise<FiringRow[]> {
  return tx.query<FiringRow>(
    `insert into firings (id, automation_id, account_id, slot, status, approval_mode, reason, created_at, updated_at)
     select id, automation_id, account_id, slot, status, approval_mode, reason, now, now
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[]) as f (id, automation_id, account_id, slot, status, approval_mode, reason, now)
     on conflict on constraint firings_one_per_slot do nothing
     returning ${firingColumns}`,
    [
      ...columnsOf(firings, 'id', 'automationId', 'accountId', 'slot', 'status'),
      ...columnsOf(firings, 'approvalMode', 'reason', 'now'),
    ],
  );
}

export async function writeTopics(
  tx: Transaction,
  firings: readonly Pick<FiringRow, 'id' | 'topic'>[],
): Promise<void> {
  const given = firings.filter(({ topic }) => topic !== null);
  if (given.length === 0) return;
  await tx.query(
    `update firings f set topic = given.topic from unnest($1::text[], $2::text[]) as given (id, topic)
     where f.id = given.id`,
    columnsOf(given, 'id', 'topic'),
  );
}

export function lockFiring(tx: Transaction, accountId: string, id: string): Promise<FiringRow | null> {
  return tx.row<FiringRow>(
    `select ${firingColumns} from firings where id = $1 and account_id = $2 for update`,
    [id, accountId],
  );
}

export async function updateFiring(tx: Transaction, row: FiringRow, now: Date): Promise<void> {
  await tx.query(
    `update firings set status = $2, content_id = $3, schedule_id = $4, schedule_requested_at = $5,
       reason = $6, updated_at = $7
     where id = $1`,
    [row.id, row.status, row.contentId, row.scheduleId, row.scheduleRequestedAt, row.reason, now],
  );
}

/** @returns the number of firings ended: those without a known schedule */
export async function endOpenFirings(tx: Transaction, reason: string, now: Date): Promise<number> {
  const rows = await tx.query(
    `update firings set status = 'skipped', reason = $1, updated_at = $2
     where status in ('fired', 'generated', 'awaiting_approval') returning 1`,
    [reason, now],
  );
  return rows.length;
}

export type FiringFilter = { status?: string | undefined; contentId?: string | undefined };

export function listFirings(
  sql: Sql,
  automationId: string,
  { status, contentId, page }: FiringFilter & { page: Page },
): Promise<FiringRow[]> {
  return sql.query<FiringRow>(
    `select ${firingColumns} from firings
     where automation_id = $1 and ($2::text is null or status = $2) and ($6::text is null or content_id = $6)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [automationId, status ?? null, ...pageValues(page), contentId ?? null],
  );
}

const open = `status in ('fired', 'generated', 'awaiting_approval', 'scheduled')`;

/** The firings that have been unchanged for longest come first. */
export function listOpenFirings(
  sql: Sql,
  page: { before: Date; after: Pick<FiringRow, 'id' | 'updatedAt'> | null; limit: number },
): Promise<OpenFiringRow[]> {
  const { before, after, limit } = page;
  return sql.query<OpenFiringRow>(
    `select ${firingColumns}, account_id as "accountId" from firings
     where ${open} and updated_at < $1 and ($2::timestamptz is null or (updated_at, id) > ($2, $3))
     order by updated_at, id limit $4`,
    [before, after?.updatedAt ?? null, after?.id ?? null, limit],
  );
}

/** Age counts from `created_at`, because publishing the cause again changes `updated_at`. */
export function findStalledSeconds(sql: Sql, now: Date): Promise<number> {
  return sql.value<number>(
    `select coalesce(extract(epoch from $1::timestamptz - min(created_at)), 0)::float8 as seconds
     from firings where status = 'fired'`,
    [now],
  );
}
