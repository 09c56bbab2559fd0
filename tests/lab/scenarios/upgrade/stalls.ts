/**
 * Each migration from the first index on, on tables with rows, while statements arrive 100 times a second.
 */

import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { migrateAll } from '@hookline/shared/postgres';
import pg from 'pg';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { startLoad } from './load.ts';

/** The data before the first of them: in each table `rows` rows with ids r1, r2, ... */
type Ground = {
  /** The first file that is measured. */
  from: string;
  fill: readonly string[];
  tables: readonly string[];
  /** Rows written right before a file, so that it has work. */
  before?: Readonly<Record<string, string>>;
};

const grounds: Record<string, Ground> = {
  content: {
    from: '0004',
    fill: [
      `insert into apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
       select 'a' || n, 'acct', 'App', '', '{}', '{}', now(), now() from generate_series(1, 100) n`,
      `insert into contents (id, account_id, app_id, type, status, error_code, created_at, updated_at)
       select 'r' || n, 'acct' || n % 100, 'a' || 1 + n % 100, 'slideshow', 'failed', 'x',
              now() - n * interval '1 s', now() from generate_series(1, $1::int) n`,
    ],
    tables: ['contents'],
  },
  scheduling: {
    from: '0004',
    fill: [
      `insert into creators (open_id) select 'o' || n from generate_series(1, 100) n`,
      `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes, connected_at,
         created_at, updated_at)
       select 'p' || n, 'acct' || n, 'o' || n, 'u', 'U', 'disconnected', '{}', now(), now(), now()
       from generate_series(1, 100) n`,
      `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
         scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
         branded_content, ai_generated, auto_add_music, outcome, consented_at, is_immediate, created_at, updated_at)
       select 'r' || n, 'acct' || n % 100, 'p' || 1 + n % 100, 'c' || n, 1, 'sent', 'draft', now(), '', '', false,
              false, false, false, false, true, true, 'sent_to_drafts', now(), true, now(), now()
       from generate_series(1, $1::int) n`,
      `insert into attempts (id, schedule_id, open_id, fence, state, media_digest, image_ids, started_at)
       select 'r' || n, 'r' || n, 'o' || 1 + n % 100, 1, 'delivered', int8send(n), '{}', now()
       from generate_series(1, $1::int) n`,
    ],
    tables: ['schedules', 'attempts', 'platform_accounts'],
  },
  automation: {
    from: '0003',
    fill: [
      `insert into automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
         approval_mode, posting_mode, created_at, updated_at)
       select 'a' || n, 'acct', 'app', 't', 'slideshow', '[]', 'UTC', 'auto', 'drafts', now(), now()
       from generate_series(1, 100) n`,
      `insert into firings (id, automation_id, account_id, slot, status, approval_mode, created_at, updated_at)
       select 'r' || n, 'a' || 1 + n % 100, 'acct', now() + n * interval '1 s', 'done', 'auto', now(), now()
       from generate_series(1, $1::int) n`,
      `insert into webhooks (id, account_id, url, events, secrets, created_at, updated_at)
       select 'r' || n, 'acct' || n % 1000, 'https://example.com', '{job.completed}', '[]', now(), now()
       from generate_series(1, $1::int) n`,
    ],
    tables: ['firings', 'webhooks'],
    before: { '0005_disabled_sequence.sql': 'update webhooks set times_disabled = 3' },
  },
};

export type Stall = { what: string; tookMs: number; slowestMs: number; calls: number };

const beforeAndAfterMs = 500;
const controlMs = 400;

/**
 * Runs them in order, and a lock of 400 ms as the control: a measurement that misses that is useless.
 * @param folder where the migrations are laid out, one more each time
 */
export async function measureStalls(
  folder: string,
  rows: number,
): Promise<{ stalls: Stall[]; control: Stall }> {
  const stalls: Stall[] = [];
  let control: Stall | undefined;
  for (const [service, ground] of Object.entries(grounds)) {
    const database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
    const schema = `stalls_${service}_${randomBytes(3).toString('hex')}`;
    const pool = new pg.Pool({
      connectionString: database.url,
      options: `-c search_path=${schema}`,
      max: 20,
    });
    pool.on('error', () => {});
    const source = join(repositoryRoot, 'services', service, 'migrations');
    const laidOut = join(folder, service, 'migrations');
    mkdirSync(laidOut, { recursive: true });
    const migrate = () =>
      migrateAll({
        adminUrl: database.url,
        passwords: { [schema]: 'unused' },
        sets: [{ schema, folders: [laidOut] }],
      });
    const measure = async (what: string, work: () => Promise<unknown>): Promise<Stall> => {
      const load = startLoad(nth => touch(pool, ground.tables, rows, nth));
      await wait(beforeAndAfterMs);
      const began = performance.now();
      await work();
      const tookMs = performance.now() - began;
      await wait(beforeAndAfterMs);
      return { what, tookMs, ...(await load.stop()) };
    };
    try {
      const files = readdirSync(source).sort();
      const isBefore = (file: string): boolean => file < ground.from;
      for (const file of files.filter(isBefore)) copyFileSync(join(source, file), join(laidOut, file));
      await migrate();
      for (const statement of ground.fill) {
        await pool.query(statement, statement.includes('$1') ? [rows] : []);
      }
      await pool.query('analyze');
      control ??= await measure('control', () =>
        pool.query(
          `do $$ begin lock table ${ground.tables[0]}; perform pg_sleep(${controlMs / 1_000}); end $$`,
        ),
      );
      for (const file of files.filter(name => !isBefore(name))) {
        const before = ground.before?.[file];
        if (before) await pool.query(before);
        copyFileSync(join(source, file), join(laidOut, file));
        stalls.push(await measure(`${service}/${file}`, migrate));
      }
    } finally {
      await pool.end();
      const admin = new pg.Client({ connectionString: database.url });
      await admin.connect();
      await admin.query(`drop schema ${schema} cascade; drop role ${schema}`);
      await admin.end();
      await database.drop();
    }
  }
  if (!control) throw new Error('nothing was measured');
  return { stalls, control };
}

/** Reads and writes a row like a request; the tables take turns. */
async function touch(pool: pg.Pool, tables: readonly string[], rows: number, nth: number): Promise<void> {
  const table = tables[nth % tables.length] ?? '';
  const key = `${table === 'platform_accounts' ? 'p' : 'r'}${1 + ((nth * 7919) % (table === 'platform_accounts' ? 100 : rows))}`;
  const { rowCount } = await pool.query(`update ${table} set id = id where id = $1 returning *`, [key]);
  if (rowCount !== 1) throw new Error(`${table} ${key} is not there`);
}
