import { newId } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../../channels.ts';
import type { MailKind, MailRow } from './record.ts';

/** Does nothing where the same mail waits already. */
export async function insertMail(
  tx: Transaction,
  mail: { kind: MailKind; recipient: string; subjectId: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into mails (id, kind, recipient, subject_id, due_at, created_at) values ($1, $2, $3, $4, $5, $5)
     on conflict do nothing`,
    [newId('mail', mail.now.getTime()), mail.kind, mail.recipient, mail.subjectId, mail.now],
  );
  tx.notifyAfterCommit(channels.mails);
}

/**
 * A mail that content waits, due later. One that waits already, or is being sent, is
 * marked as asked for again.
 */
export async function insertReminder(
  tx: Transaction,
  mail: { recipient: string; accountId: string; dueAt: Date; now: Date },
): Promise<void> {
  await tx.query(
    `insert into mails (id, kind, recipient, subject_id, due_at, asked_at, created_at)
     values ($1, 'decks_waiting', $2, $3, $4, $5, $5)
     on conflict (kind, lower(recipient), subject_id) do update set asked_at = excluded.asked_at`,
    [newId('mail', mail.now.getTime()), mail.recipient, mail.accountId, mail.dueAt, mail.now],
  );
  tx.notifyAfterCommit(channels.mails);
}

/** When the mail was last asked for. It stays so until the transaction ends. */
export async function lockAskedAt(tx: Transaction, id: string): Promise<Date | null> {
  const rows = await tx.query<{ askedAt: Date | null }>(
    'select asked_at as "askedAt" from mails where id = $1 for update',
    [id],
  );
  return rows[0]?.askedAt ?? null;
}

export async function renewMail(sql: Sql, id: string, dueAt: Date): Promise<void> {
  await sql.query('update mails set due_at = $2, attempts = 0 where id = $1', [id, dueAt]);
}

export async function deleteReminder(sql: Sql, recipient: string, accountId: string): Promise<void> {
  await sql.query(
    `delete from mails where kind = 'decks_waiting' and lower(recipient) = lower($1) and subject_id = $2`,
    [recipient, accountId],
  );
}

/** Claims the mail that is due first: no other process takes it before `untilDue`. */
export async function claimMail(sql: Sql, now: Date, untilDue: Date): Promise<MailRow | null> {
  const rows = await sql.query<MailRow>(
    `update mails set attempts = attempts + 1, due_at = $2
     where id = (select id from mails where due_at <= $1 order by due_at, id limit 1 for update skip locked)
     returning id, kind, recipient, subject_id as "subjectId", attempts, created_at as "createdAt"`,
    [now, untilDue],
  );
  return rows[0] ?? null;
}

/** When the next mail is due; null when none waits. */
export async function findNextMail(sql: Sql): Promise<Date | null> {
  const rows = await sql.query<{ dueAt: Date }>(
    'select due_at as "dueAt" from mails order by due_at, id limit 1',
  );
  return rows[0]?.dueAt ?? null;
}

export async function postponeMail(sql: Sql, id: string, dueAt: Date): Promise<void> {
  await sql.query('update mails set due_at = $2 where id = $1', [id, dueAt]);
}

export async function deleteMail(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from mails where id = $1', [id]);
}
