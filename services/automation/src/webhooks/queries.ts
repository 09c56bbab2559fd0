import { type Page, pageValues } from '@hookline/shared/kernel';
import {
  lockedInOrder,
  lockForCount,
  type SealedStore,
  type Sql,
  type Transaction,
  withKey,
} from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { Failures, WebhookRow } from './record.ts';

const columns = `id, account_id as "accountId", url, events, status, disabled_reason as "disabledReason", secrets,
  failing_since as "failingSince", reads_content as "readsContent", reads_schedules as "readsSchedules", created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`;

/** No other transaction counts the endpoints of the account until this one ends. */
export async function lockCountOfWebhooks(tx: Transaction, accountId: string): Promise<number> {
  await lockForCount(tx, 'webhooks', accountId);
  const { count } = await tx.only<{ count: number }>(
    'select count(*)::int as count from webhooks where account_id = $1 and deleted_at is null',
    [accountId],
  );
  return count;
}

export async function insertWebhook(tx: Transaction, row: WebhookRow, keyId: string | null): Promise<void> {
  await tx.query(
    `insert into webhooks (id, account_id, url, events, secrets, reads_content, reads_schedules, created_at, updated_at, created_by, key_ids)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, array_remove(array[$10::text], null))`,
    [
      ...[row.id, row.accountId, row.url, row.events, JSON.stringify(row.secrets), row.readsContent],
      ...[row.readsSchedules, row.createdAt, row.createdBy && JSON.stringify(row.createdBy), keyId],
    ],
  );
}

export function findWebhook(sql: Sql, accountId: string, id: string): Promise<WebhookRow | null> {
  return sql.row<WebhookRow>(
    `select ${columns} from webhooks where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}

export function lockWebhook(tx: Transaction, accountId: string, id: string): Promise<WebhookRow | null> {
  return tx.row<WebhookRow>(
    `select ${columns} from webhooks where id = $1 and account_id = $2 and deleted_at is null for update`,
    [id, accountId],
  );
}

export async function updateWebhook(tx: Transaction, row: WebhookRow, keyId: string | null): Promise<void> {
  await tx.query(
    `with written as (
       update webhooks set url = $2, events = $3, status = $4, disabled_reason = $5, secrets = $6,
         failing_since = $7, reads_content = $8, reads_schedules = $9, updated_at = $10,
         key_ids = ${withKey('$11')}
       where id = $1
     )
     select pg_notify('${channels.webhooks}', $1)`,
    [
      ...[row.id, row.url, row.events, row.status, row.disabledReason, JSON.stringify(row.secrets)],
      ...[row.failingSince, row.readsContent, row.readsSchedules, row.updatedAt, keyId],
    ],
  );
}

export function listWebhooks(
  sql: Sql,
  accountId: string,
  { status, page }: { status: string | undefined; page: Page },
): Promise<WebhookRow[]> {
  return sql.query<WebhookRow>(
    `select ${columns} from webhooks
     where account_id = $1 and deleted_at is null and ($5::text is null or status = $5)
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [accountId, ...pageValues(page), status ?? null],
  );
}

/** Lists what a key made or changed, newest first. At most 100 of an account are not deleted. */
export function listWebhooksOfKey(sql: Sql, accountId: string, keyId: string): Promise<WebhookRow[]> {
  return sql.query<WebhookRow>(
    `select ${columns} from webhooks
     where account_id = $1 and deleted_at is null and $2 = any (key_ids) order by created_at desc, id desc`,
    [accountId, keyId],
  );
}

/** Disables the enabled endpoints that a key made or changed. @returns their ids */
export function disableWebhooksOfKey(
  tx: Transaction,
  { accountId, keyId, reason, now }: { accountId: string; keyId: string; reason: string; now: Date },
): Promise<string[]> {
  return tx.column<string>(
    `with disabled as (
       update webhooks set status = 'disabled', disabled_reason = $3, failing_since = null, updated_at = $4
       where ${lockedInOrder(
         'webhooks',
         "account_id = $1 and deleted_at is null and status = 'enabled' and $2 = any (key_ids)",
       )}
       returning id
     )
     select id, pg_notify('${channels.webhooks}', id) from disabled`,
    [accountId, keyId, reason, now],
  );
}

/** @returns false if there is none */
export function deleteWebhook(
  tx: Transaction,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<boolean> {
  return tx.exists(
    `with gone as (
       update webhooks set deleted_at = $3, secrets = '[]', updated_at = $3
       where id = $1 and account_id = $2 and deleted_at is null returning id
     )
     select id, pg_notify('${channels.webhooks}', id) from gone`,
    [id, accountId, now],
  );
}

/** Comes before the locks on deliveries of the endpoint. @returns where it is now; null if it is gone */
export function lockEndpoint(tx: Transaction, id: string): Promise<string | null> {
  return tx.value<string | null>('select url from webhooks where id = $1 for update', [id]);
}

/** @returns the failures since the last success, null if the endpoint is gone */
export async function markFailing(tx: Transaction, id: string, now: Date): Promise<Failures | null> {
  const [row] = await tx.query<{ since: Date; times: Date[]; days: string[] }>(
    `update webhooks w set
       failing_since = coalesce(w.failing_since, $2),
       failed_at = (array_prepend($2::timestamptz(3), before.times))[1:5],
       failed_days = case when before.days[1] = today.day then before.days
         else (array_prepend(today.day, before.days))[1:5] end
     from (select ($2::timestamptz at time zone 'UTC')::date as day) today,
       -- Failures before the last success no longer count.
       (select id, case when failing_since is null then '{}' else failed_at end as times,
          case when failing_since is null then '{}' else failed_days end as days
        from webhooks where id = $1 and deleted_at is null for update) before
     where w.id = before.id
     returning w.failing_since as since, w.failed_at as times, w.failed_days::text[] as days`,
    [id, now],
  );
  return row ? { ...row, days: row.days.map(day => new Date(`${day}T00:00:00.000Z`)) } : null;
}

export async function markHealthy(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query(
    `update webhooks set failing_since = null
     where ${lockedInOrder('webhooks', 'id = any ($1) and failing_since is not null')}`,
    [ids],
  );
}

/** @returns null if it is already disabled or gone */
export async function disableWebhook(
  tx: Transaction,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<{ row: WebhookRow; sequence: number } | null> {
  const [row] = await tx.query<WebhookRow & { sequence: number }>(
    `update webhooks set status = 'disabled', disabled_reason = $2, disabled_sequence = disabled_sequence + 1,
       updated_at = $3
     where id = $1 and status = 'enabled' and deleted_at is null
     returning ${columns}, disabled_sequence as sequence`,
    [id, reason, now],
  );
  return row ? { row, sequence: row.sequence } : null;
}

const webhookSecrets: SealedStore = {
  schema: 'automation',
  table: 'webhooks',
  columns: ['secrets'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; sealed: string[] }>(
      `select id, array(select secret ->> 'sealed' from jsonb_array_elements(secrets)
                        with ordinality as list (secret, at) order by at) as sealed
       from webhooks
       where id > $1 and secrets <> '[]'
       order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, sealed }) => ({ id, context: id, sealed }));
  },
  async replace(sql, { id, sealed: before }, after) {
    return await sql.exists(
      `update webhooks w
       set secrets = (
         select jsonb_agg(jsonb_set(secret, '{sealed}', to_jsonb(($3::text[])[at])) order by at)
         from jsonb_array_elements(w.secrets) with ordinality as list (secret, at)
       )
       where id = $1
         and array(select secret ->> 'sealed' from jsonb_array_elements(w.secrets)
                   with ordinality as list (secret, at) order by at) = $2::text[]
       returning 1`,
      [id, before, after],
    );
  },
};

export const sealedStores: readonly SealedStore[] = [webhookSecrets];
