import * as contracts from '@hookline/shared/contracts/credits';
import { addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { openUnseenAccount } from '../actions/open-credit-account.ts';
import type { ContentDeps } from '../deps.ts';
import { findCredits, findDailyUse, listLedger } from '../queries/credits.ts';
import { toCredits, toLedgerEntry } from '../records/credits.ts';
import { nextUtcMidnight, utcDay } from '../rules/day.ts';

export function addCreditRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.getCredits, async ({ caller }) => {
    const now = deps.now();
    const { dailyGenerations: limit, signupCredits } = deps;
    // An account without a row still has its sign-up grant: it is written with the first generation.
    const unopened = { balance: signupCredits, granted: signupCredits, spent: 0 };
    const credits = (await findCredits(deps.db, caller.accountId)) ?? unopened;
    const used = await findDailyUse(deps.db, caller.accountId, utcDay(now));
    return { data: toCredits(credits, { limit, used, resetsAt: nextUtcMidnight(now) }) };
  });

  addRoute(app, contracts.listLedger, async ({ caller, query, requestId }) => {
    const page = readPage(query);
    // The rows must add up to the balance, even before the first generation.
    await openUnseenAccount(deps, { accountId: caller.accountId, requestId });
    const rows = await listLedger(deps.db, caller.accountId, query.contentId, page);
    return toPage(rows, page, toLedgerEntry);
  });
}
