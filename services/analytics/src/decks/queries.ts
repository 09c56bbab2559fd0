import type { Lesson } from '@hookline/shared/contracts/lesson';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../deps.ts';
import type { ComparedDeck, ResultsRow } from './record.ts';

/** What is compared of a version; of one that an experiment named, only the hook is known. */
export type Version = {
  hook: string;
  archetype?: string | null;
  templateId?: string | null;
  language?: string | null;
  bodyDigest?: string | null;
};

type Deck = { contentId: string; accountId: string; version: number };

export type ApprovedDeck = Deck & { appId: string; known: Version; approvedAt: string };

/** The version that was posted stays, whatever is heard of others. */
const newestUntilPosted = `case when d.posted_at is null then greatest(d.version, excluded.version) else d.version end`;

/** Keeps the newest version that was approved, in whatever order the events come. */
export async function saveApproved(tx: Transaction, deck: ApprovedDeck): Promise<void> {
  const { contentId, accountId, appId, version, known, approvedAt } = deck;
  await tx.query(
    `insert into decks as d (content_id, account_id, app_id, version, versions, approved_at)
     values ($1, $2, $3, $4, jsonb_build_object($4::integer, $5::jsonb), $6)
     on conflict (content_id) do update set
       app_id = excluded.app_id, version = ${newestUntilPosted}, versions = d.versions || excluded.versions,
       approved_at = greatest(d.approved_at, excluded.approved_at),
       rejected_version = nullif(d.rejected_version, excluded.version)`,
    [contentId, accountId, appId, version, JSON.stringify(known), approvedAt],
  );
}

/** Also of a deck that is heard of for the first time: news of its experiment may come later. */
export async function saveRejected(tx: Transaction, { contentId, accountId, version }: Deck): Promise<void> {
  await tx.query(
    `insert into decks (content_id, account_id, rejected_version) values ($1, $2, $3)
     on conflict (content_id) do update set rejected_version = excluded.rejected_version`,
    [contentId, accountId, version],
  );
}

export type Compared = {
  id: string;
  accountId: string;
  startedAt: string;
  readAfterHours: number;
  appId: string;
  decks: readonly { contentId: string; version: number; hook: string }[];
};

/** Keeps which decks an experiment has, in the versions that it names: they may not be decided on yet. */
export async function saveCompared(
  tx: Transaction,
  { id, accountId, startedAt, readAfterHours, appId, decks }: Compared,
): Promise<void> {
  await tx.query(
    `insert into decks as d
       (content_id, account_id, app_id, version, versions, experiment_id, experiment_at, experiment_hours, experiment_version)
     select n."contentId", $2, $3, n.version, jsonb_build_object(n.version, jsonb_build_object('hook', n.hook)),
       $1, $4, $5, n.version
     from jsonb_to_recordset($6::jsonb) as n ("contentId" text, version integer, hook text)
     on conflict (content_id) do update set
       app_id = coalesce(d.app_id, excluded.app_id), version = ${newestUntilPosted},
       versions = excluded.versions || d.versions, experiment_id = excluded.experiment_id,
       experiment_at = excluded.experiment_at, experiment_hours = excluded.experiment_hours,
       experiment_version = excluded.experiment_version`,
    [id, accountId, appId, startedAt, readAfterHours, JSON.stringify(decks)],
  );
}

export type SentDeck = Deck & { tiktokAccountId: string; sentAt: string };

/** Keeps the first post of the deck. */
export async function saveSent(tx: Transaction, deck: SentDeck): Promise<void> {
  await tx.query(
    `insert into decks as d (content_id, account_id, version, tiktok_account_id, posted_at) values ($1, $2, $3, $4, $5)
     on conflict (content_id) do update set version = excluded.version,
       tiktok_account_id = excluded.tiktok_account_id, posted_at = excluded.posted_at
     where d.posted_at is null or d.posted_at > excluded.posted_at`,
    [deck.contentId, deck.accountId, deck.version, deck.tiktokAccountId, deck.sentAt],
  );
}

export type Measured = {
  contentId: string;
  /** When the schedule ended: it names the post among those of the deck. */
  sentAt: string;
  publishedAt: string | null;
  views: number;
  likes: number | null;
  comments: number | null;
  shares: number | null;
};

/** Keeps what TikTok told of the first posts of decks. Numbers that were read later stay. */
export async function saveMeasured(
  tx: Transaction,
  { accountId, tiktokAccountId, at }: { accountId: string; tiktokAccountId: string; at: string },
  posts: readonly Measured[],
): Promise<void> {
  await tx.query(
    `update decks d
     set views = p.views, likes = p.likes, comments = p.comments, shares = p.shares, saves = null,
       published_at = coalesce(p."publishedAt", d.published_at), measured_at = $3, entered_by = null
     from jsonb_to_recordset($4::jsonb) as p ("contentId" text, "sentAt" timestamptz, "publishedAt" timestamptz,
       views bigint, likes bigint, comments bigint, shares bigint)
     where d.content_id = p."contentId" and d.account_id = $1 and d.tiktok_account_id = $2
       and d.posted_at = p."sentAt" and (d.measured_at is null or d.measured_at <= $3)`,
    [accountId, tiktokAccountId, at, JSON.stringify(posts)],
  );
}

const results = `views, likes, comments, shares, saves, measured_at as at, entered_by as by`;

/** A deck may be named in an experiment before its approval. */
const isKnown = 'coalesce(approved_at, posted_at) is not null';

/** The deck's numbers, of which `at` is null where there are none; null without such a deck. */
export function findResults(
  sql: Sql,
  accountId: string,
  contentId: string,
): Promise<ResultsRow | (Omit<ResultsRow, 'at'> & { at: null }) | null> {
  return sql.row<ResultsRow>(
    `select ${results} from decks where content_id = $1 and account_id = $2 and ${isKnown}`,
    [contentId, accountId],
  );
}

/** Keeps the numbers unless those kept were read later. @returns what is kept; null without such a deck. */
export async function saveResults(
  tx: Transaction,
  { accountId, contentId }: { accountId: string; contentId: string },
  { views, likes, comments, shares, saves, at, by }: ResultsRow,
): Promise<ResultsRow | null> {
  await tx.query(
    `update decks
     set views = $3, likes = $4, comments = $5, shares = $6, saves = $7, measured_at = $8, entered_by = $9
     where content_id = $1 and account_id = $2 and (measured_at is null or measured_at <= $8) and ${isKnown}`,
    [contentId, accountId, views, likes, comments, shares, saves, at, by],
  );
  const kept = await findResults(tx, accountId, contentId);
  // Without numbers, its approval was heard of after the update.
  return kept?.at ? kept : null;
}

type ComparedFilter = { appId: string | null; since: Date; limit: number };

/**
 * Decks with settled numbers, newest first. A limit that the planner cannot see counts as a tenth of the rows: it
 * reads an index in its order, whatever it knows of the table.
 */
export function listSettled(
  sql: Sql,
  accountId: string,
  { appId, since, limit }: ComparedFilter,
): Promise<ComparedDeck[]> {
  return sql.query(
    `select content_id as "contentId", app_id as "appId", tiktok_account_id as "tiktokAccountId", hook, archetype,
       template_id as "templateId", language, extract(epoch from coalesce(published_at, posted_at))::float8 * 1000 as "postedAtMs", views
     from decks
     where account_id = $1 and is_settled and ($2::text is null or app_id = $2) and counted_at >= $3
     order by counted_at desc, content_id desc
     limit (select $4::integer)`,
    [accountId, appId, since, limit],
  );
}

export type WeekRow = {
  posted: number;
  measured: number;
  views: number;
  best: { hook: string; views: number } | null;
};

/** What was posted between the two times, and what is known of it. */
export function sumPosted(sql: Sql, accountId: string, since: Date, until: Date): Promise<WeekRow> {
  return sql.only<WeekRow>(
    `with week as materialized (
       select hook, views from decks where account_id = $1 and posted_at >= $2 and posted_at < $3
     )
     select count(*)::int as posted, count(views)::int as measured, least(coalesce(sum(views), 0), ${Number.MAX_SAFE_INTEGER})::bigint as views,
       (select jsonb_build_object('hook', hook, 'views', views) from week where views is not null and hook <> ''
        order by views desc limit 1) as best
     from week`,
    [accountId, since, until],
  );
}

/** Keeps the first numbers of decks of experiments past the hours that were named. */
export async function keepFirstViews(
  tx: Transaction,
  accountId: string,
  contentIds: readonly string[],
): Promise<void> {
  await tx.query(
    `update decks set experiment_views = views
     where content_id = any($2::text[]) and account_id = $1 and experiment_views is null
       and posted_at >= experiment_at
       and measured_at >= coalesce(published_at, posted_at) + make_interval(hours => experiment_hours)`,
    [accountId, contentIds],
  );
}

/** The apps of these decks have new settled numbers, which their next lesson has to know. */
export async function askForLessons(
  { tx, accountId, now }: WriteContext,
  contentIds: readonly string[],
): Promise<void> {
  // Locked also where a lesson is due: one that is drawn up now must not miss this.
  await tx.query(
    `insert into lessons as l (app_id, account_id, due_at)
     select distinct app_id, account_id, $3::timestamptz from decks
     where content_id = any($2::text[]) and account_id = $1 and is_settled order by app_id
     on conflict (app_id) do update set due_at = coalesce(l.due_at, excluded.due_at)`,
    [accountId, contentIds, now],
  );
}

export type DueLesson = { appId: string; accountId: string; lesson: Lesson };

/** Locks what was published last of the app that has been due longest, and is due no more. */
export function takeDueLesson(tx: Transaction, now: Date): Promise<DueLesson | null> {
  return tx.row<DueLesson>(
    `update lessons set due_at = null
     where app_id = (
       select app_id from lessons where due_at <= $1 order by due_at limit 1 for no key update skip locked)
     returning app_id as "appId", account_id as "accountId", lesson`,
    [now],
  );
}

export async function saveLesson(tx: Transaction, appId: string, lesson: Lesson): Promise<void> {
  await tx.query('update lessons set lesson = $2 where app_id = $1', [appId, lesson]);
}
