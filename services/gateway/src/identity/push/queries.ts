import type { PushKind } from '@hookline/shared/contracts/push';
import type { Role } from '@hookline/shared/contracts/scopes';
import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import { channels } from '../../channels.ts';
import { workspaceOf } from '../sessions/queries.ts';
import type { PushRow } from './record.ts';

export function findSealedKey(sql: Sql): Promise<string | null> {
  return sql.value<string | null>('select sealed from push_keys');
}

/** @returns the one of whichever gateway was first */
export async function insertSealedKey(sql: Sql, sealed: string): Promise<string> {
  await sql.query('insert into push_keys (sealed) values ($1) on conflict do nothing', [sealed]);
  return (await findSealedKey(sql)) ?? sealed;
}

/** @param keeps false for another key pair, which no browser subscribed to */
export async function replaceSealedKey(
  tx: Transaction,
  { before, after, keeps }: { before: string; after: string; keeps: boolean },
): Promise<void> {
  const values = [before, after];
  const replaced = await tx.query('update push_keys set sealed = $2 where sealed = $1 returning 1', values);
  if (replaced.length > 0 && !keeps) await tx.query('delete from push_subscriptions');
}

export async function findChoice(
  sql: Sql,
  { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
): Promise<{ kinds: PushKind[]; subscribed: boolean }> {
  const rows = await sql.query<{ kinds: PushKind[]; subscribed: boolean }>(
    `select push_kinds as kinds,
       exists (select 1 from push_subscriptions where session_id = $3) as subscribed
     from members where account_id = $1 and user_id = $2`,
    [accountId, userId, sessionId],
  );
  return rows[0] ?? { kinds: [], subscribed: false };
}

export type NewSubscription = {
  sessionId: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  now: Date;
};

/** A browser that is signed in again, or by somebody else, leaves its former session. */
export async function saveSubscription(
  tx: Transaction,
  { sessionId, endpoint, p256dh, auth, now }: NewSubscription,
): Promise<void> {
  await lockForCount(tx, 'browsers', endpoint);
  const values = [endpoint, sessionId];
  await tx.query('delete from push_subscriptions where endpoint = $1 and session_id <> $2', values);
  await tx.query(
    `insert into push_subscriptions (session_id, endpoint, p256dh, auth, created_at)
     select id, $2, $3, $4, $5 from sessions where id = $1
     on conflict (session_id) do update set endpoint = $2, p256dh = $3, auth = $4`,
    [sessionId, endpoint, p256dh, auth, now],
  );
}

/** @param endpoint null for any; a browser that subscribed anew since has another */
export async function deleteSubscription(
  sql: Sql,
  sessionId: string,
  endpoint: string | null = null,
): Promise<void> {
  await sql.query(
    'delete from push_subscriptions where session_id = $1 and ($2::text is null or endpoint = $2)',
    [sessionId, endpoint],
  );
}

export type NewPush = {
  accountId: string;
  kind: PushKind;
  userId?: string | null;
  roles: readonly Role[];
  dueAt: Date;
  now: Date;
};

/**
 * Stores one for each browser of the members who may act on it and want it; with a `userId`, only theirs. One that
 * waits already stays as it is; one that is being sent is sent again. The browser is locked before its notifications,
 * as where it is signed out.
 */
export async function insertPushes(
  tx: Transaction,
  { accountId, kind, userId = null, roles, dueAt, now }: NewPush,
): Promise<void> {
  const rows = await tx.query(
    `insert into pushes (session_id, account_id, kind, due_at)
     select p.session_id, m.account_id, $2, $3
     from members m join sessions s on s.user_id = m.user_id join push_subscriptions p on p.session_id = s.id
     where m.account_id = $1 and m.role = any($4) and $2 = any(m.push_kinds) and s.expires_at > $5
       and ($6::text is null or m.user_id = $6)
       and not exists (select 1 from workspace_deletions d where d.account_id = $1 and d.standing <> 'open')
     order by p.session_id for key share of p
     on conflict (session_id, account_id, kind) do update set attempts = 0,
       due_at = case when pushes.attempts = 0 then pushes.due_at else excluded.due_at end
     returning 1`,
    [accountId, kind, dueAt, roles, now, userId],
  );
  if (rows.length > 0) tx.notifyAfterCommit(channels.pushes);
}

/** Claims those that are due, of each workspace in turn: no other process takes them before `untilDue`. */
export function claimPushes(
  sql: Sql,
  { now, untilDue, limit }: { now: Date; untilDue: Date; limit: number },
): Promise<PushRow[]> {
  return sql.query<PushRow>(
    `update pushes set attempts = attempts + 1, due_at = $2
     from push_subscriptions p join sessions s on s.id = p.session_id
     where pushes.session_id = p.session_id and pushes.id in (
       select id from pushes where due_at <= $1 and id in (
         select id from (
           select id, due_at, row_number() over (partition by account_id order by due_at, id) as nth
           from pushes where due_at <= $1) due
         order by nth, due_at, id limit $3)
       for update skip locked
     )
     returning pushes.id, pushes.session_id as "sessionId", pushes.account_id as "accountId", s.user_id as "userId",
       kind, attempts, endpoint, p256dh, auth, s.expires_at as "sessionEndsAt",
       pushes.account_id = ${workspaceOf('s')} as "isEntered",
       (select name from workspaces w join members m on m.account_id = w.account_id
        where w.account_id = pushes.account_id and m.user_id = s.user_id and pushes.kind = any(m.push_kinds)) as workspace`,
    [now, untilDue, limit],
  );
}

export function findNextPush(sql: Sql): Promise<Date | null> {
  return sql.value<Date | null>('select min(due_at) as "dueAt" from pushes');
}

/** Leaves one that was asked for again since it was claimed. */
export async function deletePush(sql: Sql, { id, attempts }: PushRow): Promise<void> {
  await sql.query('delete from pushes where id = $1 and attempts = $2', [id, attempts]);
}

export async function postponePush(sql: Sql, { id, attempts }: PushRow, dueAt: Date): Promise<void> {
  await sql.query('update pushes set due_at = $3 where id = $1 and attempts = $2', [id, attempts, dueAt]);
}
