import type { SlideshowResult } from '@hookline/shared/contracts/content';
import type { Sql } from '@hookline/shared/postgres';
import { linesOf } from '@hookline/writer';
import type { DeckBefore } from '../decks/record.ts';

// Every POST /content reads and compares these, which takes about 0.5 ms. A firing has time for more: an automation
// that posts eight times a day is compared with all of its 60 days.
const decksMax = { request: 100, firing: 500 };

type DeckQuery = { accountId: string; appId: string; since: Date; for: keyof typeof decksMax };
type Row = Omit<DeckBefore, 'lines'> & Pick<SlideshowResult, 'hook' | 'bodySlides'>;

/** The newest decks of an app, newest first. */
export async function listDecksBefore(
  sql: Sql,
  { accountId, appId, since, for: reader }: DeckQuery,
): Promise<DeckBefore[]> {
  const rows = await sql.query<Row>(
    `select id, origin_automation_id as "automationId", created_at as "createdAt",
       result->>'hook' as hook, result->'bodySlides' as "bodySlides",
       case when decision = 'rejected' then decision_reason end as "rejectReason"
     from contents
     where app_id = $1 and account_id = $2 and status = 'ready' and created_at > $3
     order by created_at desc, id desc
     limit $4`,
    [appId, accountId, since, decksMax[reader]],
  );
  return rows.map(({ hook, bodySlides, ...deck }) => ({ ...deck, lines: linesOf({ hook, bodySlides }) }));
}
