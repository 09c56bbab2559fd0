import type { Experiment } from '@hookline/shared/contracts/experiments';
import { comparedDays, comparedMax } from '@hookline/shared/contracts/results';
import { type Page, pageValues } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { CountedDeck } from '../decks/ledger.rules.ts';
import type { ExperimentDeck, Started } from './record.ts';

/**
 * The newest experiments, one more than the page holds, each with what was kept of it.
 * @param openOf the app whose experiments are listed, without those of which something was kept
 */
export function listNewest(
  sql: Sql,
  accountId: string,
  page: Page,
  openOf: string | null = null,
): Promise<(Started & { kept: Experiment | null })[]> {
  return sql.query(
    `with newest as (
       select experiment_id as id, experiment_at as "startedAt", min(app_id) as "appId" from decks
       where account_id = $1 and experiment_id is not null
         and ($2::timestamptz is null or experiment_at < $2 or (experiment_at = $2 and experiment_id > $3))
         and ($5::text is null or (app_id = $5 and not exists (
           select from verdicts where account_id = $1 and experiment_id = decks.experiment_id)))
       group by 1, 2 order by 2 desc, 1 limit $4
     )
     select n.*, v.experiment as kept from newest n left join verdicts v on v.account_id = $1 and v.experiment_id = n.id
     order by 2 desc, 1`,
    [accountId, ...pageValues(page), openOf],
  );
}

/**
 * The decks of the experiments, by experiment. Ages, not times, are compared: of a range of times the planner supposes
 * one row, and would look for the slides among all posts of the account.
 */
export async function listDecks(
  sql: Sql,
  accountId: string,
  started: readonly Started[],
): Promise<Map<string, ExperimentDeck[]>> {
  const rows = await sql.query<ExperimentDeck & { experimentId: string }>(
    `select d.experiment_id as "experimentId", d.experiment_hours as "readAfterHours", d.content_id as "contentId",
       coalesce(d.hook, d.versions -> d.experiment_version::text ->> 'hook') as hook,
       d.tiktok_account_id as "tiktokAccountId", d.experiment_views as views,
       d.version <> d.experiment_version as "isEdited",
       coalesce(d.rejected_version >= d.version and d.posted_at is null, false) as "isRejected",
       exists (
         select from decks o
         where o.account_id = d.account_id and o.body_digest = d.body_digest and o.content_id <> d.content_id
           and o.tiktok_account_id = d.tiktok_account_id and d.posted_at - o.posted_at < interval '90 days'
           and (d.posted_at - o.posted_at, d.content_id) > (interval '0', o.content_id)
       ) as "isRepeated"
     from unnest($2::timestamptz[], $3::text[]) as e (at, id)
     join decks d on d.account_id = $1 and d.experiment_at = e.at and d.experiment_id = e.id
     order by e.at, d.content_id`,
    [accountId, ...columnsOf(started, 'startedAt', 'id')],
  );
  return Map.groupBy(rows, ({ experimentId }) => experimentId);
}

/** The newest decks of each app with settled numbers before its experiment started, by experiment. */
export async function listEarlier(
  sql: Sql,
  accountId: string,
  started: readonly Started[],
): Promise<Map<string, CountedDeck[]>> {
  const rows = await sql.query<CountedDeck & { experimentId: string }>(
    `select e.id as "experimentId", d.*
     from jsonb_to_recordset($2::jsonb) as e (id text, "appId" text, "startedAt" timestamptz)
     cross join lateral (
       select content_id as "contentId", app_id as "appId", tiktok_account_id as "tiktokAccountId", views from decks
       where account_id = $1 and is_settled and app_id = e."appId" and counted_at < e."startedAt"
         and counted_at >= e."startedAt" - make_interval(days => $3)
       order by counted_at desc, content_id desc limit (select $4::integer)) d`,
    [accountId, JSON.stringify(started), comparedDays, comparedMax],
  );
  return Map.groupBy(rows, ({ experimentId }) => experimentId);
}

export async function saveVerdict(tx: Transaction, accountId: string, experiment: Experiment): Promise<void> {
  const values = [accountId, experiment.id, experiment];
  await tx.query('insert into verdicts values ($1, $2, $3) on conflict do nothing', values);
}
