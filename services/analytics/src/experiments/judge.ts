import type { Experiment } from '@hookline/shared/contracts/experiments';
import { readPage } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { isOver, judgeHooks } from './judge.rules.ts';
import { listDecks, listEarlier, listNewest, saveVerdict } from './queries.ts';
import type { Started } from './record.ts';

/** What the experiments say by now. */
export async function judge(
  sql: Sql,
  accountId: string,
  { started, now }: { started: readonly Started[]; now: Date },
): Promise<Experiment[]> {
  if (started.length === 0) return [];
  const decks = await listDecks(sql, accountId, started);
  const over = started.filter(one => isOver(one, decks.get(one.id) ?? [], now));
  const earlier = await listEarlier(sql, accountId, over);
  return started.map(one =>
    judgeHooks(one, decks.get(one.id) ?? [], over.includes(one) ? (earlier.get(one.id) ?? []) : null),
  );
}

/** Keeps what experiments of the app say that are over, so that no read has to judge them again. */
export async function keepVerdicts(
  tx: Transaction,
  { accountId, appId }: { accountId: string; appId: string },
  now: Date,
): Promise<void> {
  const started = await listNewest(tx, accountId, readPage({}), appId);
  for (const experiment of await judge(tx, accountId, { started, now })) {
    // A rejection may be taken back.
    const isKept = experiment.isFinal && experiment.posts.every(({ leftOut }) => leftOut !== 'rejected');
    if (isKept) await saveVerdict(tx, accountId, experiment);
  }
}
