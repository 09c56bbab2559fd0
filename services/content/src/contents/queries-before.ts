import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { createRecall } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { linesOf } from '@hookline/writer';
import type { DeckBefore } from '../decks/record.ts';

// Every POST /content reads and compares the newest of the app. A firing has time for more: an automation that posts
// eight times a day is compared with all of its 60 days.
const decksMax = { ofApp: 100, ofAutomation: 500 };

type DeckQuery = { accountId: string; appId: string; since: Date; automationId: string | null };
type Row = Omit<DeckBefore, 'lines'> & { version: number; updatedAt: Date } & {
  [Text in 'hook' | 'bodySlides']: SlideshowResult[Text] | null;
};

/** The lines of an app's decks by id and version, complete for all that were updated before `readTo`. */
type KnownLines = { readTo: Date; lines: Map<string, readonly string[]> };

// Reading and parsing 100 decks takes ten times as long as reading their ids. An app takes up to 600 kB.
const [appsMax, linesMax] = [200, 1_000];
const recallKnown = createRecall<KnownLines>(appsMax);
const nothingKnown = (): KnownLines => ({ readTo: new Date(0), lines: new Map() });

/**
 * Lists the newest decks of an app, and those of the automation, newest first. Only texts that this process has not
 * read yet are transferred.
 */
export async function listDecksBefore(sql: Sql, query: DeckQuery): Promise<DeckBefore[]> {
  const known = recallKnown(query.appId, nothingKnown);
  const decks = await readDecks(sql, query, known);
  // A transaction may commit after another that updated its deck later.
  return decks ?? (await readDecks(sql, query, Object.assign(known, nothingKnown()))) ?? [];
}

/** @returns null to have everything read: the lines of a deck are neither known nor read, or too many are known */
async function readDecks(
  sql: Sql,
  { accountId, appId, since, automationId }: DeckQuery,
  known: KnownLines,
): Promise<DeckBefore[] | null> {
  const ready = `from contents
     where app_id = $1 and account_id = $2 and status = 'ready' and created_at > $3`;
  const newest = 'order by created_at desc, id desc limit';
  const withOwn = `from contents where id in (
     (select id ${ready} ${newest} $4)
     union
     (select id ${ready} and origin_automation_id = $6 ${newest} ${decksMax.ofAutomation}))`;
  const rows = await sql.query<Row>(
    `select id, version, updated_at as "updatedAt", origin_automation_id as "automationId",
       created_at as "createdAt", coalesce(changes_requested->>'reason', case when decision = 'rejected' then decision_reason end) as "rejectReason",
       case when updated_at >= $5 then result->>'hook' end as hook,
       case when updated_at >= $5 then result->'bodySlides' end as "bodySlides"
     ${automationId === null ? `${ready} ${newest} $4` : `${withOwn} order by created_at desc, id desc`}`,
    [
      ...[appId, accountId, since, decksMax.ofApp, known.readTo],
      ...(automationId === null ? [] : [automationId]),
    ],
  );
  if (known.lines.size > linesMax) return null;
  const decks: DeckBefore[] = [];
  for (const { version, updatedAt, hook, bodySlides, ...deck } of rows) {
    const key = `${deck.id} ${version}`;
    const read = hook === null || bodySlides === null ? known.lines.get(key) : linesOf({ hook, bodySlides });
    if (!read) return null;
    known.lines.set(key, read);
    decks.push({ ...deck, lines: read });
    if (updatedAt > known.readTo) known.readTo = updatedAt;
  }
  return decks;
}
