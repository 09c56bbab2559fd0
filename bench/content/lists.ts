/** GET /v1/content at 1,000 and at a million rows: its first page and its ten-thousandth cost the same. */

import { listContents } from '@hookline/content/testing';
import { type Content, listContent } from '@hookline/shared/contracts/content';
import { createLogger } from '@hookline/shared/kernel';
import { openDatabase, type Sql } from '@hookline/shared/postgres';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { ratioOf } from '../harness/figures.ts';
import { type RoundTable, runRounds } from '../harness/rounds.ts';

const limit = 100;
const small = 1_000;
const large = 1_000_000;
const readsPerRound = 60;

type Position = { createdAt: Date; id: string } | null;
type Place = { name: string; accountId: string; after: Position };
type PlanNode = {
  'Node Type': string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** @throws Error when a page is not read from its index alone */
export async function measureLists(rounds: number): Promise<Record<string, unknown>> {
  const database = await createMigratedDatabase();
  const log = createLogger({ service: 'bench', level: 'silent' });
  const db = openDatabase({ url: database.roleUrl('content'), connectionsMax: 2, name: 'bench lists', log });
  try {
    await seed(database.url, 'acct_small', small);
    await seed(database.url, 'acct_large', large);
    const places: Place[] = [
      { name: 'page 1 of 1,000 rows', accountId: 'acct_small', after: null },
      { name: 'page 1 of 1,000,000 rows', accountId: 'acct_large', after: null },
      { name: 'page 10,000 of 1,000,000 rows', accountId: 'acct_large', after: await lastPage(db) },
      { name: 'page 10 of 1,000 rows', accountId: 'acct_small', after: await lastPage(db, 'acct_small') },
    ];
    for (const place of places) await checkPlan(db, place);
    for (const place of places) await read(db, place);
    const table = await runRounds(places, rounds, async place => {
      const ms: number[] = [];
      for (let index = 0; index < readsPerRound; index += 1) {
        const beganMs = performance.now();
        await read(db, place);
        ms.push(performance.now() - beganMs);
      }
      return {
        p50Ms: percentileOf(
          ms.toSorted((a, b) => a - b),
          0.5,
        ),
      };
    });
    return { lists: table, ...compare(table) };
  } finally {
    await db.close();
    await database.drop();
  }
}

function compare(table: RoundTable) {
  const p50 = (name: string) => {
    const found = table[name]?.p50Ms;
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  return {
    firstPageRatio: ratioOf(p50('page 1 of 1,000,000 rows'), p50('page 1 of 1,000 rows')),
    deepPageRatio: ratioOf(p50('page 10,000 of 1,000,000 rows'), p50('page 10 of 1,000 rows')),
  };
}

/** A plain deck per row, newest last, as if the service had written one per second. */
async function seed(superuserUrl: string, accountId: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const result = {
    hook: 'Five small habits',
    hookOptions: ['Five small habits', 'Habits that last', 'Begin here'],
    bodySlides: Array.from({ length: 4 }, (_, index) => ({ text: `Slide ${index}: one small thing a day.` })),
    ctaSoft: 'Pebblo keeps it small.',
    ctaHard: 'Get Pebblo.',
    caption: 'Small things, every day.',
    hashtags: ['#habits', '#small'],
  };
  await client.query('set search_path to content');
  await client.query(
    `insert into apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
     values ('product_' || $1, $1, 'Pebblo', '', '{}', '{}', now(), now())`,
    [accountId],
  );
  await client.query(
    `insert into contents (id, account_id, app_id, type, status, result, cost_charged, created_at, updated_at)
     select 'content_' || $1 || lpad(n::text, 10, '0'), $1, 'product_' || $1, 'slideshow', 'ready', $3, 1,
       timestamptz '2026-01-01' + n * interval '1 second', now()
     from generate_series(1, $2::int) as n`,
    [accountId, rows, result],
  );
  await client.query('vacuum analyze contents');
  await client.end();
}

/** Cursor of the last page: after all rows but the last hundred. */
async function lastPage(db: Sql, accountId = 'acct_large'): Promise<Position> {
  const [row] = await db.query<{ createdAt: Date; id: string }>(
    `select created_at as "createdAt", id from contents where account_id = $1 order by created_at, id offset $2 limit 1`,
    [accountId, limit],
  );
  if (!row) throw new Error('the list is too short');
  return row;
}

async function read(sql: Sql, { accountId, after }: Place): Promise<Content[]> {
  const page = { limit, after, isPaged: true };
  const rows = await listContents(sql, accountId, {}, page);
  if (rows.length < limit) throw new Error(`${listContent.id} gave ${rows.length} rows`);
  return rows as unknown as Content[];
}

/** Explains the product's own statement: by its index, in its order, without discarding rows. */
async function checkPlan(db: Sql, place: Place): Promise<void> {
  const nodes: PlanNode[] = [];
  const explaining: Sql = {
    async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      collect(row?.['QUERY PLAN'][0].Plan, nodes);
      return db.query<Row>(text, values);
    },
  };
  await read(explaining, place);
  const scan = nodes.find(node => node['Index Name'] === 'contents_newest');
  const sorted = nodes.some(node => node['Node Type'] === 'Sort' && node !== scan && isAbove(node, scan));
  const removed = nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0);
  if (!scan || sorted || removed > 0)
    throw new Error(`${place.name} is not read from contents_newest alone: ${JSON.stringify(nodes)}`);
}

function collect(node: PlanNode | undefined, into: PlanNode[]): void {
  if (!node) return;
  into.push(node);
  for (const child of node.Plans ?? []) collect(child, into);
}

function isAbove(node: PlanNode, other: PlanNode | undefined): boolean {
  return (node.Plans ?? []).some(child => child === other || isAbove(child, other));
}
