import { getCredits, listLedger } from '@hookline/shared/contracts/content';
import { addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { openCreditAccount } from '../actions/open-credit-account.ts';
import type { ContentDeps } from '../deps.ts';
import { findCredits, findDailyUse, type LedgerRow, listLedger as selectLedger } from '../queries/credits.ts';
import { nextUtcMidnight, utcDay } from '../rules/day.ts';

export function addCreditRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, getCredits, async ({ caller }) => {
    const now = deps.now();
    // An account that nobody saw yet has no row: its sign-up grant is as good as written.
    const row = await findCredits(deps.db, caller.accountId);
    const used = await findDailyUse(deps.db, caller.accountId, utcDay(now));
    return {
      data: {
        balance: row?.balance ?? deps.signupCredits,
        granted: row?.granted ?? deps.signupCredits,
        spent: row?.spent ?? 0,
        dailyGeneration: { limit: deps.dailyGenerations, used, resetsAt: nextUtcMidnight(now).toISOString() },
      },
    };
  });

  addRoute(app, listLedger, async ({ caller, query, requestId }) => {
    const page = readPage(query);
    const select = () => selectLedger(deps.db, caller.accountId, query.contentId, page);
    let rows = await select();
    // What a cursor or a filter leaves empty says nothing of the whole.
    const isWhole = page.after === null && query.contentId === undefined;
    if (rows.length === 0 && isWhole) {
      // The rows add up to the balance, also before the first generation.
      await deps.db.transaction(tx =>
        openCreditAccount(deps, tx, { accountId: caller.accountId, requestId }),
      );
      rows = await select();
    }
    return toPage(rows, page, row => row, toRecord);
  });
}

function toRecord(row: LedgerRow) {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
