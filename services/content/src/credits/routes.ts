import * as contracts from '@hookline/shared/contracts/credits';
import { addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { nextUtcMidnight, utcDay } from './day.rules.ts';
import { findCredits, findDailyUse, listLedger } from './queries.ts';
import { signUpGrant, toCredits, toLedgerEntry, unopenedCredits } from './record.ts';

export function addCreditRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.getCredits, async ({ caller }) => {
    const now = deps.now();
    const { dailyGenerations: limit, signupCredits, isUnlimited } = deps;
    const credits = (await findCredits(deps.db, caller.accountId)) ?? unopenedCredits(signupCredits);
    const used = await findDailyUse(deps.db, caller.accountId, utcDay(now));
    return {
      data: {
        ...toCredits(credits, { limit, used, resetsAt: nextUtcMidnight(now) }),
        unlimited: isUnlimited,
      },
    };
  });

  addRoute(app, contracts.listLedger, async ({ caller: { accountId }, query }) => {
    const page = readPage(query);
    // This is read first: an account that opens in between has its grant among the rows.
    const isOpen = (await findCredits(deps.db, accountId)) !== null;
    const rows = await listLedger(deps.db, accountId, query.contentId, page);
    const showsGrant = !isOpen && rows.length === 0 && !page.after && query.contentId === undefined;
    // The rows must add up to the balance even before the first generation.
    if (showsGrant && deps.signupCredits > 0) rows.push(signUpGrant(accountId, deps.signupCredits));
    return toPage(rows, page, toLedgerEntry);
  });
}
