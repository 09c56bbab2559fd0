/** Deletes what a schema stores of a workspace, in batches that a crash may end anywhere. */
import type { Database } from '../postgres/index.ts';
import { nameDeleted, runDeletion } from './queries/standings.ts';

/**
 * One table of a deletion. `statement` deletes at most `$2` rows of the workspace `$1`
 * and answers their `count`.
 */
export type DeletionStep = { table: string; statement: string };

/** Rows per transaction: it holds its locks for milliseconds. */
const batchMax = 1_000;

/** A step for a table with the workspace's id in it. */
export function ofAccount(table: string): DeletionStep {
  return where(table, 'account_id = $1');
}

/** A step for a table whose rows belong to the workspace by another table. @param condition with `$1` */
export function where(table: string, condition: string): DeletionStep {
  // By position: a plain `limit` does not exist for `delete`.
  const statement = `with gone as (
      delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit $2)) returning 1
    )
    select count(*)::int as count from gone`;
  return { table, statement };
}

/**
 * Deletes batch by batch, table by table, in the order of the steps.
 * @param untilMs `performance.now()` after which no batch begins
 * @returns false if rows may be left; the next call continues
 */
export async function deleteRows(
  db: Database,
  steps: readonly DeletionStep[],
  accountId: string,
  untilMs: number,
): Promise<boolean> {
  for (const { statement } of steps) {
    for (let count = batchMax; count === batchMax; ) {
      if (performance.now() > untilMs) return false;
      count = await db.transaction(async tx => {
        await nameDeleted(tx, accountId);
        return await runDeletion(tx, statement, accountId, batchMax);
      });
    }
  }
  return true;
}
