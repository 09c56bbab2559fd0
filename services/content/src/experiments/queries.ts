import type { Transaction } from '@hookline/shared/postgres';
import type { ContentRow } from '../contents/record.ts';

export type NamedDeck = Pick<
  ContentRow,
  'id' | 'appId' | 'version' | 'status' | 'approvalStatus' | 'experimentId'
> & {
  hook: string | null;
  isSent: boolean;
};

/** Locks those of the decks that are the account's. A permit that the locks waited for is seen. */
export async function lockNamed(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<NamedDeck[]> {
  const named = 'from contents where account_id = $1 and id = any($2::text[])';
  await tx.query(`select 1 ${named} order by id for update`, [accountId, ids]);
  return tx.query(
    `select id, app_id as "appId", version, status, approval_status as "approvalStatus", result->>'hook' as hook, experiment_id as "experimentId",
       exists (
         select from send_permits
         where content_id = contents.id and (released_at is null or outcome = 'sent')) as "isSent"
     ${named}`,
    [accountId, ids],
  );
}

export async function setExperiment(
  tx: Transaction,
  experimentId: string,
  contentIds: readonly string[],
): Promise<void> {
  const values = [experimentId, contentIds];
  await tx.query('update contents set experiment_id = $1 where id = any($2::text[])', values);
}
