import type { PublicEventType, Webhook } from '@hookline/shared/contracts/webhooks';
import type { Sql, Transaction } from '@hookline/shared/db';
import { notFound } from '@hookline/shared/errors';
import type { Page } from '@hookline/shared/paging';

/** A signing secret at rest. `until`: end of its overlap after a rotation, null for the current one. */
export type SealedSecret = { sealed: string; until: string | null };

export type WebhookRow = {
  id: string;
  accountId: string;
  url: string;
  events: PublicEventType[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  secrets: SealedSecret[];
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = `id, account_id as "accountId", url, events, status, disabled_reason as "disabledReason", secrets,
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt"`;

export function toWebhook(row: WebhookRow): Webhook {
  const { id, url, events, status, disabledReason } = row;
  return {
    id,
    url,
    events,
    status,
    disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function insertWebhook(sql: Sql, row: WebhookRow): Promise<void> {
  await sql.query(
    `insert into webhooks (id, account_id, url, events, secrets, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.accountId, row.url, row.events, JSON.stringify(row.secrets), row.createdAt],
  );
}

/** @throws ApiError `not_found` */
export async function getWebhook(sql: Sql, accountId: string, id: string): Promise<WebhookRow> {
  const [row] = await sql.query<WebhookRow>(
    `select ${columns} from webhooks where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
  if (!row) throw notFound('webhook');
  return row;
}

/** Locks the caller's webhook for a change. @throws ApiError `not_found` */
export async function lockWebhook(tx: Transaction, accountId: string, id: string): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(
    `select ${columns} from webhooks where id = $1 and account_id = $2 and deleted_at is null for update`,
    [id, accountId],
  );
  if (!row) throw notFound('webhook');
  return row;
}

export async function updateWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  await tx.query(
    `update webhooks set url = $2, events = $3, status = $4, disabled_reason = $5, secrets = $6,
       failing_since = $7, updated_at = $8
     where id = $1`,
    [
      row.id,
      row.url,
      row.events,
      row.status,
      row.disabledReason,
      JSON.stringify(row.secrets),
      row.failingSince,
      row.updatedAt,
    ],
  );
}

export function listWebhooks(sql: Sql, accountId: string, page: Page): Promise<WebhookRow[]> {
  return sql.query<WebhookRow>(
    `select ${columns} from webhooks
     where account_id = $1 and deleted_at is null
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [accountId, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit + 1],
  );
}

/** Takes the endpoint off every list and forgets its secrets. @throws ApiError `not_found` */
export async function deleteWebhook(
  tx: Transaction,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  const rows = await tx.query(
    `update webhooks set deleted_at = $3, secrets = '[]', updated_at = $3
     where id = $1 and account_id = $2 and deleted_at is null returning id`,
    [id, accountId, now],
  );
  if (rows.length === 0) throw notFound('webhook');
}

/** Notes that an attempt failed. @returns since when every attempt has, null when the endpoint is gone. */
export async function noteFailure(tx: Transaction, id: string, now: Date): Promise<Date | null> {
  const [row] = await tx.query<{ failingSince: Date }>(
    `update webhooks set failing_since = coalesce(failing_since, $2)
     where id = $1 and deleted_at is null returning failing_since as "failingSince"`,
    [id, now],
  );
  return row?.failingSince ?? null;
}

export async function noteSuccess(sql: Sql, id: string): Promise<void> {
  await sql.query('update webhooks set failing_since = null where id = $1 and failing_since is not null', [
    id,
  ]);
}

export async function disableWebhook(tx: Transaction, id: string, reason: string, now: Date): Promise<void> {
  await tx.query(
    `update webhooks set status = 'disabled', disabled_reason = $2, updated_at = $3
     where id = $1 and status = 'enabled' and deleted_at is null`,
    [id, reason, now],
  );
}
