import type { Sql } from '@hookline/shared/postgres';
import type { ExperimentDeck } from './record.ts';

/** The decks of the newest experiments. */
export function listDecks(sql: Sql, accountId: string, countMax: number): Promise<ExperimentDeck[]> {
  return sql.query(
    `with newest as (
       select experiment_id, experiment_at from decks
       where account_id = $1 and experiment_id is not null
       group by 1, 2 order by 2 desc, 1 limit $2
     )
     select d.experiment_id as "experimentId", d.experiment_at as "startedAt",
       d.experiment_hours as "readAfterHours", d.content_id as "contentId", d.app_id as "appId", d.hook,
       d.tiktok_account_id as "tiktokAccountId", d.experiment_views as views,
       d.version <> d.experiment_version as "isEdited",
       exists (
         select from decks o
         where o.account_id = d.account_id and o.body_digest = d.body_digest and o.content_id <> d.content_id
           and o.tiktok_account_id = d.tiktok_account_id and (o.posted_at, o.content_id) < (d.posted_at, d.content_id)
           and o.posted_at > d.posted_at - interval '90 days'
       ) as "isRepeated"
     from newest n join decks d on d.account_id = $1 and d.experiment_id = n.experiment_id
       and d.experiment_at = n.experiment_at
     order by n.experiment_at desc, n.experiment_id, d.content_id`,
    [accountId, countMax],
  );
}
