import type { BodyOf } from '@hookline/shared/contracts/route';
import type { Role } from '@hookline/shared/contracts/scopes';
import type { updateNotifications } from '@hookline/shared/contracts/workspace';
import { newId } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../../channels.ts';
import type { MailKind, MailRow, NotificationsRow } from './record.ts';

/** A mail names so many of the last things that happened, and counts the rest. */
const linesMax = 5;

/** An attempt takes less: a process that dies leaves its mail to another. */
export const mailLeaseMs = 120_000;

/** A fact added during an outage leaves the mail at least five of its ten attempts. */
const attemptsLeft = 'least(mails.attempts, 5)';

/** Where the same mail waits already, it is due after a lease at the latest: it may be being sent. */
export async function insertMail(
  tx: Transaction,
  mail: { kind: MailKind; recipient: string; subjectId: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into mails (id, kind, recipient, subject_id, due_at, created_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (kind, lower(recipient), subject_id) do update set due_at = least(mails.due_at, $6),
       attempts = ${attemptsLeft}`,
    [
      newId('mail', mail.now.getTime()),
      mail.kind,
      mail.recipient,
      mail.subjectId,
      mail.now,
      new Date(mail.now.getTime() + mailLeaseMs),
    ],
  );
  tx.notifyAfterCommit(channels.mails);
}

export type GatheredMail = {
  kind: MailKind;
  recipient: string;
  accountId: string;
  /** Says what happened. */
  line?: string;
  dueAt: Date;
  now: Date;
};

/** A mail for all of a while, due later. One that waits already, or is being sent, is asked for once more. */
export async function gatherMail(
  tx: Transaction,
  { kind, recipient, accountId, line, dueAt, now }: GatheredMail,
): Promise<void> {
  await tx.query(
    `insert into mails (id, kind, recipient, subject_id, due_at, asked_at, created_at, facts, lines)
     values ($1, $2, $3, $4, $5, $6, $6, 1, $7)
     on conflict (kind, lower(recipient), subject_id) do update set asked_at = excluded.asked_at,
       attempts = ${attemptsLeft}, facts = mails.facts + 1,
       lines = (mails.lines || excluded.lines)[greatest(1, cardinality(mails.lines) + 2 - ${linesMax}):]`,
    [newId('mail', now.getTime()), kind, recipient, accountId, dueAt, now, line === undefined ? [] : [line]],
  );
  tx.notifyAfterCommit(channels.mails);
}

/** When and how often the mail was asked for. It stays so until the transaction ends. */
export function lockAsked(tx: Transaction, id: string): Promise<{ at: Date; facts: number } | null> {
  return tx.row<{ at: Date; facts: number }>(
    'select asked_at as at, facts from mails where id = $1 for update',
    [id],
  );
}

/** @param told the facts that need no other mail */
export async function renewMail(sql: Sql, id: string, dueAt: Date, told: number): Promise<void> {
  await sql.query(
    `update mails set due_at = $2, attempts = 0, facts = facts - $3,
       lines = lines[greatest(1, cardinality(lines) + 1 - (facts - $3)):] where id = $1`,
    [id, dueAt, told],
  );
}

export async function deleteReminder(sql: Sql, recipient: string, accountId: string): Promise<void> {
  await sql.query(
    `delete from mails where kind = 'decks_waiting' and lower(recipient) = lower($1) and subject_id = $2`,
    [recipient, accountId],
  );
}

/** Mails that somebody waits for are sent before all others, such as thousands of weekly ones. */
const isAwaited =
  "kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'sign_in_changed', 'post_due')";

/** Claims the mail that is due first. No other process takes it before `untilDue`. */
export function claimMail(sql: Sql, now: Date, untilDue: Date): Promise<MailRow | null> {
  return sql.row<MailRow>(
    `update mails set attempts = attempts + 1, due_at = $2
     where id = (
       select id from mails where due_at <= $1 order by (${isAwaited}) desc, due_at, id limit 1 for update skip locked
     )
     returning id, kind, recipient, subject_id as "subjectId", attempts, created_at as "createdAt", facts, lines`,
    [now, untilDue],
  );
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

const chosen = `select members.account_id as "accountId", members.user_id as "userId", role,
    coalesce(users.email, oidc_users.proven_email) as email,
    (oidc_users.proven_email is not null or users.email_verified_at is not null) as "isProven",
    decks_waiting as "decksWaiting", decks_mailed_at as "decksMailedAt", weekly_mail as weekly, due_mail as "postDue", timezone, workspaces.name as workspace
  from members join workspaces on workspaces.account_id = members.account_id
    left join users on users.id = members.user_id left join oidc_users on oidc_users.id = members.user_id`;

export function findNotifications(
  sql: Sql,
  accountId: string,
  userId: string,
): Promise<NotificationsRow | null> {
  return sql.row<NotificationsRow>(`${chosen} where members.account_id = $1 and members.user_id = $2`, [
    accountId,
    userId,
  ]);
}

/** Nobody can do anything in a workspace that is frozen. */
const isOpen = `not exists (select 1 from workspace_deletions d where d.account_id = $1 and d.standing <> 'open')`;

/** The members of the workspace who want mails about content that waits. */
export function listToBeMailed(sql: Sql, accountId: string): Promise<NotificationsRow[]> {
  return sql.query<NotificationsRow>(
    `${chosen} where members.account_id = $1 and decks_waiting <> 'off' and ${isOpen} order by members.user_id`,
    [accountId],
  );
}

/** The members of these roles whose address is proven. */
export function listRolesToBeMailed(
  sql: Sql,
  accountId: string,
  roles: readonly Role[],
): Promise<(NotificationsRow & { email: string })[]> {
  return sql.query<NotificationsRow & { email: string }>(
    `select * from (${chosen} where members.account_id = $1 and role = any($2) and ${isOpen}) chosen
     where email is not null and "isProven" order by "userId"`,
    [accountId, roles],
  );
}

/**
 * What is undefined stays. One statement: a second update of the row would lock the workspace, which whoever changes
 * a member locks first.
 */
export async function setNotifications(
  sql: Sql,
  { accountId, userId }: { accountId: string; userId: string },
  { decksWaiting, weekly, postDue, pushKinds }: BodyOf<typeof updateNotifications>,
): Promise<void> {
  await sql.query(
    `update members set decks_waiting = coalesce($3, decks_waiting), weekly_mail = coalesce($4, weekly_mail),
       due_mail = coalesce($5, due_mail), push_kinds = coalesce($6, push_kinds)
     where account_id = $1 and user_id = $2`,
    [accountId, userId, decksWaiting, weekly, postDue, pushKinds],
  );
}

export async function markDecksMailed(
  sql: Sql,
  { accountId, userId }: Pick<NotificationsRow, 'accountId' | 'userId'>,
  now: Date,
): Promise<void> {
  const values = [accountId, userId, now];
  await sql.query('update members set decks_mailed_at = $3 where account_id = $1 and user_id = $2', values);
}
