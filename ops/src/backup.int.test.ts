/**
 * Whole tables there and back: every value unchanged, nothing partial, and nothing into a database in use.
 */
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';

type Migrated = Awaited<ReturnType<typeof createMigratedDatabase>>;
const folder = mkdtempSync(join(tmpdir(), 'hookline-backup-'));
const taken = join(folder, 'taken');
let source: Migrated;
let empty: Migrated;
let lines: string[] = [];

function run(database: Migrated, ...args: string[]): Promise<boolean> {
  lines = [];
  return runOps(args, { DATABASE_URL: database.url }, line => lines.push(line));
}

async function ask<Row extends pg.QueryResultRow>({ url }: Migrated, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

// Values that a careless copy changes: quotes, breaks, nulls of both kinds, bytes, microseconds, big numbers.
const awkward = `
  insert into content.apps values ('app', 'acct', E'Peb\\tblo\\n\\\\N "x"', '', array['a,b', 'NULL', '"'], '{"a": null, "b": 1e400}',
    '2026-03-29T01:59:59.999Z', now());
  insert into content.contents (id, account_id, app_id, type, status, result, created_at, updated_at)
    values ('c1', 'acct', 'app', 'slideshow', 'ready', 'null', now(), now());
  insert into content.slide_images values ('i', 'c1', 1, 1, 1, 1, 1, 'image/jpeg', decode('00ff0a5c', 'hex'), now());
  insert into scheduling.creators (open_id, init_stamps) values ('o', array['2026-01-01T00:00:00.123456Z'::timestamptz]);
  insert into automation.feed_heads values ('acct', 7);
  insert into automation.feed_events values ('e', 'acct', 7, 'job.completed', 'c1', 9007199254740993, '{"b":1,  "a":2}', now());
  insert into content.event_sequences values ('content:c1', 4);
  insert into automation.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
      approval_mode, posting_mode, status, next_fire_at, created_at, updated_at)
    values ('auto', 'acct', 'app', 'p', 'slideshow', '[{"time":"09:00","days":["mon","tue","wed","thu","fri","sat","sun"]}]', 'UTC',
      'auto', 'drafts', 'active', date_trunc('day', now()) - interval '1 day' + interval '9 hours', now(), now());
  select analytics.ensure_snapshot_partition('2025-11-01');
  insert into analytics.metric_snapshots values ('post', '2025-11-15', 1, null, 3);
  select scheduling.ensure_outbox_day('2026-02-03');
  insert into scheduling.outbox_sent values (2, 'event_2', 'scheduling.schedules', 'k', '{"a": "1"}', '{"x": "y"}',
    '2026-02-03T23:59:59Z', '2026-02-03T23:59:59.999999Z');
  insert into scheduling.outbox (event_id, topic, key, payload, headers)
    select 'event_' || n, 'scheduling.schedules', 'k', '{}', '{}' from generate_series(1, 5) n;
  delete from scheduling.outbox where event_id <> 'event_3'`;

// A pause that is open in the data, and a schedule that became due in it.
const paused = `
  insert into scheduling.creators (open_id) values ('creator');
  insert into scheduling.platform_accounts (id, account_id, open_id, username, display_name, status, scopes, connected_at,
      created_at, updated_at)
    values ('p', 'acct', 'creator', 'u', 'U', 'disconnected', '{}', now(), now(), now());
  insert into scheduling.schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
      scheduled_for, due_at, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
      branded_content, ai_generated, auto_add_music, consented_at, is_immediate, created_at, updated_at)
    values ('s', 'acct', 'p', 'c1', 1, 'pending', 'draft', now() - interval '1 hour', now() - interval '1 hour', '', '',
      true, true, false, false, false, false, false, now(), false, now(), now());
  insert into scheduling.schedules select (jsonb_populate_record(s, jsonb_build_object('id', 'later', 'content_id', 'c2',
      'scheduled_for', now() + interval '1 hour', 'due_at', now() + interval '1 hour', 'created_at', now() - interval '5 hours'))).*
    from scheduling.schedules s;
  insert into scheduling.sending_pauses (paused_at) values (now() - interval '4 hours')`;
const statusOf = (database: Migrated): Promise<{ status: string; kept: boolean }[]> =>
  ask(database, 'select status, due_at is null as kept from scheduling.schedules order by id desc');

// The one that was due is closed; the other may have been moved and sent.
const closedAndKept = [
  { status: 'failed', kept: true },
  { status: 'pending', kept: true },
];

const whole = [
  'content.apps',
  'content.contents',
  'content.slide_images',
  'scheduling.creators',
  'automation.feed_events',
  'analytics.metric_snapshots',
  'scheduling.outbox_sent',
];
const textOf = async (database: Migrated): Promise<string[]> => {
  const rows = await Promise.all(
    whole.map(table => ask<{ row: string }>(database, `select t::text as row from ${table} t`)),
  );
  return rows.flat().map(({ row }) => row);
};

beforeAll(async () => {
  source = await createMigratedDatabase();
  await ask(source, 'set search_path to analytics');
  for (const statement of awkward.split(/;\n/)) {
    const path = statement.includes('ensure_snapshot') ? 'analytics' : 'scheduling';
    await ask(source, statement.includes('ensure_') ? `set search_path to ${path}; ${statement}` : statement);
  }
  await ask(source, paused);
  expect(await run(source, 'backup', taken), lines.join('\n')).toBe(true);
});
afterAll(async () => {
  await source.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  empty = await createMigratedDatabase();
  return () => empty.drop();
});

describe('npm run ops -- backup and restore', () => {
  it('restores every value, and numbers continue where they were', async () => {
    expect(await run(empty, 'restore', taken, '--without-bus'), lines.join('\n')).toBe(true);
    expect(await textOf(empty)).toEqual(await textOf(source));
    expect(lines.at(-1)).toContain('resume-sending');
    expect(lines).toContain(
      'Look at TikTok; then move or delete each, or let all go out: npm run ops -- release-kept-back.',
    );
    // The next event must not reuse the number of one in outbox_dead; 6 is the failure
    // of the closed schedule.
    const [next] = await ask<{ id: string }>(
      empty,
      `insert into scheduling.outbox (event_id, topic, key, payload, headers) values ('new', 't', 'k', '{}', '{}') returning id::text`,
    );
    expect(next?.id).toBe('7');
    const [leapt] = await ask<{ sequence: string; position: string }>(
      empty,
      `select (select sequence::text from content.event_sequences), (select position::text from automation.feed_heads)`,
    );
    expect(leapt).toEqual({ sequence: '1000004', position: '1000007' });
    const firings = await ask<{ status: string; reason: string }>(
      empty,
      'select status, reason from automation.firings',
    );
    expect(firings.length).toBeGreaterThan(0);
    for (const { status, reason } of firings) {
      expect(status).toBe('skipped');
      expect(reason).toMatch(/^restored: a backup of 20/);
    }
    const [{ ahead } = { ahead: false }] = await ask<{ ahead: boolean }>(
      empty,
      'select next_fire_at > now() as ahead from automation.automations',
    );
    expect(ahead).toBe(true);
    expect(await statusOf(empty)).toEqual(closedAndKept);
    expect(await run(empty, 'release-kept-back')).toBe(true);
    expect(lines).toEqual(['1 schedules go out at their times.']);
  });

  it('settles a database that was restored by other means, and lets sending go on', async () => {
    const since = new Date(Date.now() - 1_000).toISOString();
    await ask(
      empty,
      `insert into scheduling.sending_pauses (paused_at, reason, cause) values (now(), 'the database went back in time', 'went_back');
       insert into scheduling.witnessed_server (system_id, timeline) values ('1', 1)`,
    );
    expect(await run(empty, 'resume-sending')).toBe(false);
    expect(lines.at(-1)).toContain('close-after --since');
    await expect(run(empty, 'close-after')).rejects.toThrow(/^--since must be the past instant/);
    await expect(run(empty, 'close-after', '--since', '2026-02-31')).rejects.toThrow(/^--since must be/);
    await expect(run(empty, 'close-after', '--since', since)).rejects.toThrow(
      /^The bus, which knows what was posted since, cannot be read: .*KAFKA_BROKERS.*say --without-bus if it was/,
    );
    expect(await run(empty, 'close-after', '--since', since, '--without-bus'), lines.join('\n')).toBe(true);
    expect(lines.at(-1)).toBe('Sending goes on.');
    const left = await ask(
      empty,
      `select resumed_at, cause, (select count(*) from scheduling.witnessed_server) as servers from scheduling.sending_pauses`,
    );
    expect(left).toEqual([{ resumed_at: expect.any(Date), cause: 'restored', servers: 0 }]);
    await ask(empty, `insert into scheduling.sending_pauses (paused_at, cause) values (now(), 'went_back')`);
    expect(await run(empty, 'resume-sending', '--nothing-was-lost')).toBe(true);
    await ask(empty, paused);
    const afterThePause = new Date(Date.now() - 3 * 3_600_000).toISOString();
    expect(await run(empty, 'close-after', '--since', afterThePause, '--without-bus'), lines.join('\n')).toBe(
      true,
    );
    expect(await statusOf(empty)).toEqual(closedAndKept);
  });

  it('settles however long a statement takes, also where the server has a limit for statements', async () => {
    await ask(
      empty,
      `insert into content.event_sequences values ('content:c1', 4);
       create function public.be_slow() returns trigger language plpgsql as
         'begin perform pg_sleep(5.5); return new; end';
       create trigger slow before update on content.event_sequences execute function public.be_slow();
       do $$ begin execute format('alter database %I set statement_timeout = ''5s''', current_database()); end $$`,
    );
    const since = new Date(Date.now() - 1_000).toISOString();
    expect(await run(empty, 'close-after', '--since', since, '--without-bus'), lines.join('\n')).toBe(true);
    expect(await ask(empty, 'select sequence::text from content.event_sequences')).toEqual([
      { sequence: '1000004' },
    ]);
  });

  it('keeps what it wrote from others, and writes over nothing', async () => {
    expect(statSync(taken).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(taken)) expect(statSync(join(taken, name)).mode & 0o077, name).toBe(0);
    await expect(run(source, 'backup', taken)).rejects.toThrow(/ is not empty: name a new folder/);
  });

  it('changes nothing when it cannot do it', async () => {
    await ask(
      empty,
      `insert into analytics.published_posts values ('v', 'a', 'v', 'youtube', 'y', now(), now(), now())`,
    );
    await expect(run(empty, 'restore', taken, '--without-bus')).rejects.toThrow(
      /^analytics\.published_posts is not empty/,
    );
    await ask(empty, 'delete from analytics.published_posts');
    const service = new pg.Client({ connectionString: empty.url, application_name: 'hookline content' });
    await service.connect();
    await expect(run(empty, 'restore', taken, '--without-bus')).rejects.toThrow(
      '"hookline content" is connected to the database: stop the services first.',
    );
    await service.end();
    await ask(empty, `insert into content.migrations (name, digest) values ('content/9999_later.sql', 'x')`);
    await expect(run(empty, 'restore', taken, '--without-bus')).rejects.toThrow(
      /differ in the migration content\/content\/9999_later\.sql/,
    );
    await ask(empty, `delete from content.migrations where digest = 'x'`);
    await expect(run(empty, 'restore', join(folder, 'none'))).rejects.toThrow(/holds no complete backup/);
    expect(await ask(empty, 'select 1 from content.apps')).toEqual([]);
    expect(await run(empty, 'restore', taken, '--without-bus')).toBe(true);
  });

  it('finds a damaged file before it writes, and a row that breaks a rule of the tables', async () => {
    const damaged = join(folder, 'damaged');
    expect(await run(source, 'backup', damaged)).toBe(true);
    const file = join(damaged, 'content.apps.copy');
    const before = readFileSync(file);
    appendFileSync(file, 'x');
    await expect(run(empty, 'restore', damaged, '--without-bus')).rejects.toThrow(
      /content\.apps\.copy is missing or damaged/,
    );
    // The digests match, but the app that the content belongs to is missing.
    const manifest = JSON.parse(readFileSync(join(damaged, 'manifest.json'), 'utf8'));
    const apps = manifest.tables.find((one: { table: string }) => one.table === 'apps');
    apps.rows = 0;
    apps.sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(before.length).toBeGreaterThan(0);
    writeFileSync(file, '');
    writeFileSync(join(damaged, 'manifest.json'), JSON.stringify(manifest));
    await expect(run(empty, 'restore', damaged, '--without-bus')).rejects.toThrow(/contents_app_id_fkey/);
    expect(await ask(empty, 'select 1 from scheduling.creators')).toEqual([]);
  });
});
