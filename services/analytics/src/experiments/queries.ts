import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { ExperimentDeck } from './record.ts';

export type PlannedDeck = {
  contentId: string;
  appId: string;
  hook: string;
  isPosted: boolean;
  isTaken: boolean;
};

/** Locks those of the decks that were approved. */
export function lockPlanned(
  tx: Transaction,
  accountId: string,
  contentIds: readonly string[],
): Promise<PlannedDeck[]> {
  return tx.query(
    `select content_id as "contentId", app_id as "appId", hook, posted_at is not null as "isPosted",
       experiment_id is not null as "isTaken"
     from decks where account_id = $1 and content_id = any($2::text[]) and hook <> '' order by content_id for update`,
    [accountId, contentIds],
  );
}

type Plan = { id: string; contentIds: readonly string[]; readAfterHours: number; now: Date };

export async function savePlan(
  tx: Transaction,
  accountId: string,
  { id, contentIds, readAfterHours, now }: Plan,
): Promise<void> {
  await tx.query(
    `update decks set experiment_id = $3, experiment_at = $4, experiment_hours = $5, experiment_version = version
     where account_id = $1 and content_id = any($2::text[])`,
    [accountId, contentIds, id, now, readAfterHours],
  );
}

/** The decks of the newest experiments, or of one. */
export function listDecks(
  sql: Sql,
  accountId: string,
  { id = null, limit }: { id?: string | null; limit: number },
): Promise<ExperimentDeck[]> {
  return sql.query(
    `with newest as (
       select experiment_id, experiment_at from decks
       where account_id = $1 and experiment_id is not null and ($2::text is null or experiment_id = $2)
       group by 1, 2 order by 2 desc, 1 limit $3
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
    [accountId, id, limit],
  );
}
