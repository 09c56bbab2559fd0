import { newId } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { MailKind, MailRow } from '../records/mail.ts';

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
