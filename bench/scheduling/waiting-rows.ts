/** Schedules as `POST /schedules` leaves them, inserted by the thousand. */
import type pg from 'pg';

export type Waiting = {
  /** Ids are `<prefix>_<n>`. */
  prefix: string;
  count: number;
  creators: number;
  /** A Postgres interval from now, such as `-1 second`; the rows are a millisecond apart. */
  dueIn: string;
};

/** Inserts the rows as the role that owns them, with their creators where these are missing. */
export async function insertWaiting(client: pg.Client, waiting: Waiting): Promise<void> {
  const { prefix, count, creators, dueIn } = waiting;
  await client.query('set search_path to scheduling');
  await client.query(
    `insert into creators (open_id) select 'o' || n from generate_series(1, $1::int) n on conflict do nothing`,
    [creators],
  );
  await client.query(
    `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
       access_token_sealed, access_expires_at, refresh_token_sealed, refresh_expires_at, connected_at, created_at, updated_at)
     select 'account_' || n, 'acct', 'o' || n, 'u' || n, 'U', 'connected', '{video.upload,video.publish}',
       repeat('x', 120), now() + interval '1 day', repeat('x', 120), now() + interval '1 day', now(), now(), now()
     from generate_series(1, $1::int) n on conflict do nothing`,
    [creators],
  );
  await client.query(
    `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
       scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
       branded_content, ai_generated, auto_add_music, consented_at, key_id, request_id, is_immediate, due_at, created_at, updated_at)
     select $1 || '_' || n, 'acct', 'account_' || (1 + n % $3::int), 'content_' || $1 || '_' || n, 1, 'pending', 'draft',
       at, '5 habits small enough for a bad day', repeat('Small enough to do tired. ', 8) || '#habits #tiny', false, false,
       false, false, false, true, true, now(), 'key_bench', 'req_bench', false, at, now(), now()
     from (select n, now() + $4::interval + n * interval '1 ms' as at from generate_series(1, $2::int) n) rows`,
    [prefix, count, creators, dueIn],
  );
}
