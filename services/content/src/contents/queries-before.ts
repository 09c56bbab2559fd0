import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { createRecall } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { linesOf } from '@hookline/writer';
import type { DeckBefore } from '../decks/record.ts';

// Every POST /content reads and compares the newest of the app. A firing has time for more: an automation that posts
// eight times a day is compared with all of its 60 days.
const decksMax = { ofApp: 100, ofAutomation: 500 };

type DeckQuery = { accountId: string; appId: string; since: Date; automationId: string | null };
type Details = Pick<DeckBefore, 'automationId' | 'rejectReason'> & { createdAt: string } & Pick<
    SlideshowResult,
    'hook' | 'bodySlides'
  >;
/** `updatedAt`: seconds since 1970. `details` are null for a deck that was updated before all that is known. */
type Row = { id: string; updatedAt: number; details: Details | null };

/** Decks of an app by id and time of update, complete for all that were updated before `readTo`. */
type KnownDecks = { readTo: number; decks: Map<string, DeckBefore> };

// Reading and parsing 100 decks takes ten times as long as reading their ids. An app takes up to 600 kB.
const [appsMax, decksKnownMax] = [200, 1_000];
const recallKnown = createRecall<KnownDecks>(appsMax);
const nothingKnown = (): KnownDecks => ({ readTo: 0, decks: new Map() });

/**
 * Lists the newest decks of an app, and those of the automation, newest first. Only those that this process has not
 * read yet are transferred whole.
 */
export async function listDecksBefore(sql: Sql, query: DeckQuery): Promise<DeckBefore[]> {
  const known = recallKnown(query.appId, nothingKnown);
  const decks = await readDecks(sql, query, known);
  // A transaction may commit after another that updated its deck later.
  return decks ?? (await readDecks(sql, query, Object.assign(known, nothingKnown()))) ?? [];
}

/** @returns null to have everything read: a deck is neither known nor read, or too many are known */
async function readDecks(
  sql: Sql,
  { accountId, appId, since, automationId }: DeckQuery,
  known: KnownDecks,
): Promise<DeckBefore[] | null> {
  const ready = `from contents
     where app_id = $1 and account_id = $2 and status = 'ready' and created_at > $3`;
  const newest = 'order by created_at desc, id desc limit';
  const withOwn = `from contents where id in (
     (select id ${ready} ${newest} $4)
     union
     (select id ${ready} and origin_automation_id = $6 ${newest} ${decksMax.ofAutomation}))`;
  const rows = await sql.query<Row>(
    `select id, extract(epoch from updated_at)::float8 as "updatedAt",
       case when updated_at >= to_timestamp($5) then jsonb_build_object(
         'automationId', origin_automation_id, 'createdAt', created_at,
         'rejectReason', coalesce(changes_requested->>'reason', case when decision = 'rejected' then decision_reason end),
         'hook', result->'hook', 'bodySlides', result->'bodySlides') end as details
     ${automationId === null ? `${ready} ${newest} $4` : `${withOwn} order by created_at desc, id desc`}`,
    [
      ...[appId, accountId, since, decksMax.ofApp, known.readTo],
      ...(automationId === null ? [] : [automationId]),
    ],
  );
  if (known.decks.size > decksKnownMax) return null;
  const decks: DeckBefore[] = [];
  for (const { id, updatedAt, details } of rows) {
    const key = `${id} ${updatedAt}`;
    const deck = details ? toDeckBefore(id, details) : known.decks.get(key);
    if (!deck) return null;
    known.decks.set(key, deck);
    decks.push(deck);
    known.readTo = Math.max(known.readTo, updatedAt);
  }
  return decks;
}

function toDeckBefore(id: string, { automationId, createdAt, rejectReason, ...texts }: Details): DeckBefore {
  return { id, automationId, createdAt: new Date(createdAt), rejectReason, lines: linesOf(texts) };
}
