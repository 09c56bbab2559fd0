import { newId, pruneBatch } from '@hookline/shared/kernel';
import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { AuditEntry, AuditRow, By } from './record.ts';

export type WriteContext = { tx: Transaction; by: By; now: Date };

/**
 * Adds a row in the transaction of the change that it reports. Rows of an account are inserted one
 * transaction after the other, so that a reader who goes on after the newest row misses none. An id that is there
 * adds none.
 */
export async function insertAudit(
  { tx, by: { actor, address, requestId }, now }: WriteContext,
  { accountId, action, subject, detail = {} }: AuditEntry,
  id = newId('audit', now.getTime()),
): Promise<void> {
  await lockForCount(tx, 'audit', accountId);
  await tx.query(
    `insert into audit_events (id, account_id, at, actor_kind, actor_id, actor_name, action, subject_kind,
       subject_id, address, request_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (id) do nothing`,
    [
      ...[id, accountId, now, actor.kind, actor.id, actor.name, action, subject.kind, subject.id, address],
      ...[requestId, JSON.stringify(detail)],
    ],
  );
}

/** @param id undefined for a change without an idempotency key */
export async function isAuditedSince(sql: Sql, id: string | undefined, since: Date): Promise<boolean> {
  return (
    id !== undefined && (await sql.exists('select from audit_events where id = $1 and at > $2', [id, since]))
  );
}

/**
 * Adds a row in each workspace of the person, in the order of their ids: two transactions that lock several
 * accounts in different orders would wait for each other.
 */
export async function insertAuditInEach(
  context: WriteContext,
  userId: string,
  entry: Omit<AuditEntry, 'accountId' | 'subject'>,
): Promise<void> {
  const accounts = await context.tx.query<{ accountId: string }>(
    'select account_id as "accountId" from members where user_id = $1 order by account_id',
    [userId],
  );
  const subject = { kind: 'user' as const, id: userId };
  for (const { accountId } of accounts) await insertAudit(context, { accountId, subject, ...entry });
}

export async function deleteOldAudit(sql: Sql, before: Date): Promise<number> {
  const rows = await sql.query(
    `delete from audit_events where ctid = any (array(
       select ctid from audit_events where at < $1 order by at limit ${pruneBatch}
     )) returning 1`,
    [before],
  );
  return rows.length;
}

// `position` here is text: the order must name the column of the table, or 10 comes before 9.
const auditColumns = `id, account_id as "accountId", position::text as position, at, action, address,
  json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
  json_build_object('kind', subject_kind, 'id', subject_id) as subject,
  request_id as "requestId", detail`;

/** @property action whole, or the kind before its dot */
type AuditFilter = { action?: string | undefined; actorId?: string | undefined };

const matching = `account_id = $1 and ($4::text is null or action = $4 or starts_with(action, $4 || '.'))
  and ($5::text is null or actor_id = $5)`;

/** Lists the rows after the position, oldest first. */
export function listAudit(
  sql: Sql,
  accountId: string,
  { after, limit, action, actorId }: { after: number; limit: number } & AuditFilter,
): Promise<AuditRow[]> {
  return sql.query<AuditRow>(
    `select ${auditColumns} from audit_events
     where ${matching} and position > $2 order by audit_events.position limit $3`,
    [accountId, after, limit, action ?? null, actorId ?? null],
  );
}

/** Lists the rows before the position, newest first. */
export function listNewestAudit(
  sql: Sql,
  accountId: string,
  { before, limit, action, actorId }: { before: number; limit: number } & AuditFilter,
): Promise<AuditRow[]> {
  return sql.query<AuditRow>(
    `select ${auditColumns} from audit_events
     where ${matching} and position < $2 order by audit_events.position desc limit $3`,
    [accountId, before, limit, action ?? null, actorId ?? null],
  );
}
