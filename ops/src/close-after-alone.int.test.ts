/** `close-after` where nothing outlived the loss that knows what was posted since. */
import { type Topic, toHeaders } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let lines: string[] = [];

beforeEach(async () => {
  database = await createMigratedDatabase();
  return () => database.drop();
});

function run(...args: string[]): Promise<boolean> {
  lines = [];
  return runOps(args, { DATABASE_URL: database.url }, line => lines.push(line));
}

async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'test' });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const numbered = `
  insert into content.event_sequences values ('content:c1', 4);
  insert into automation.feed_heads values ('acct', 7);
  insert into automation.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
      approval_mode, posting_mode, status, next_fire_at, created_at, updated_at)
    values ('auto', 'acct', 'app', 'p', 'slideshow', '[{"time":"09:00","days":["mon","tue","wed","thu","fri","sat","sun"]}]', 'UTC',
      'auto', 'drafts', 'active', date_trunc('day', now()) - interval '1 day' + interval '9 hours', now(), now())`;

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
const listStatus = (): Promise<{ status: string; kept: boolean }[]> =>
  ask('select status, due_at is null as kept from scheduling.schedules order by id desc');

// The one that was due is closed; the other may have been moved and sent.
const closedAndKept = [
  { status: 'failed', kept: true },
  { status: 'pending', kept: true },
];

describe('npm run ops -- close-after', () => {
  it('closes what was due, keeps back what waits, skips the slots, and numbers jump ahead', async () => {
    await ask(numbered);
    await ask(paused);
    const since = new Date(Date.now() - 1_000).toISOString();
    expect(await run('close-after', '--since', since, '--without-bus'), lines.join('\n')).toBe(true);
    expect(lines).toContain(
      'Look at TikTok; then move or delete each, or let all go out: npm run ops -- release-kept-back.',
    );
    const [leapt] = await ask<{ sequence: string; position: string }>(
      `select (select sequence::text from content.event_sequences), (select position::text from automation.feed_heads)`,
    );
    expect(leapt).toEqual({ sequence: '1000004', position: '1000007' });
    const firings = await ask<{ status: string; reason: string }>(
      'select status, reason from automation.firings',
    );
    expect(firings.length).toBeGreaterThan(0);
    for (const { status, reason } of firings) {
      expect(status).toBe('skipped');
      expect(reason).toMatch(/^restored: a backup of 20/);
    }
    expect(await ask('select next_fire_at > now() as ahead from automation.automations')).toEqual([
      { ahead: true },
    ]);
    expect(await listStatus()).toEqual(closedAndKept);
    expect(await run('release-kept-back')).toBe(true);
    expect(lines).toEqual(['1 schedules go out at their times.']);
  });

  it('ends the pause that the senders began when they found that the database went back', async () => {
    const since = new Date(Date.now() - 1_000).toISOString();
    await ask(
      `insert into scheduling.sending_pauses (paused_at, reason, cause) values (now(), 'the database went back in time', 'went_back');
       insert into scheduling.witnessed_server (system_id, timeline) values ('1', 1)`,
    );
    expect(await run('resume-sending')).toBe(false);
    expect(lines.at(-1)).toContain('close-after --since');
    await expect(run('close-after')).rejects.toThrow(/^--since must be the past instant/);
    // `Date` reads it as 3 March, after what was posted since.
    await expect(run('close-after', '--since', '2026-02-31T09:00:00Z')).rejects.toThrow(/^--since must be/);
    await expect(run('close-after', '--since', since)).rejects.toThrow(
      /^The bus, which knows what was posted since, cannot be read: .*KAFKA_BROKERS.*say --without-bus if it was/,
    );
    expect(await run('close-after', '--since', since, '--without-bus'), lines.join('\n')).toBe(true);
    expect(lines.at(-1)).toBe('Sending goes on.');
    const left = await ask(
      `select resumed_at, cause, (select count(*) from scheduling.witnessed_server) as servers from scheduling.sending_pauses`,
    );
    expect(left).toEqual([{ resumed_at: expect.any(Date), cause: 'restored', servers: 0 }]);
    await ask(`insert into scheduling.sending_pauses (paused_at, cause) values (now(), 'went_back')`);
    expect(await run('resume-sending', '--nothing-was-lost')).toBe(true);
    await ask(paused);
    const afterThePause = new Date(Date.now() - 3 * 3_600_000).toISOString();
    expect(await run('close-after', '--since', afterThePause, '--without-bus'), lines.join('\n')).toBe(true);
    expect(await listStatus()).toEqual(closedAndKept);
  });

  it('believes no log that is in the database and went back with it', async () => {
    const topic: Topic = 'scheduling.schedules';
    const event = {
      ...{ id: newId('event'), type: 'schedule.created', version: 1, topic, subject: 's' },
      ...{ accountId: 'acct', sequence: 1, time: new Date(Date.now() - 3_600_000).toISOString(), data: {} },
      ...{ source: '/services/scheduling', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
    } as const;
    const headers = JSON.stringify(toHeaders({ ...event, requestId: null }));
    await ask(paused);
    await ask(
      `insert into bus.topics (topic, head) values ('${topic}', 1);
       insert into bus.messages (topic, position, key, value, headers) values ('${topic}', 1, 's', '{}', '${headers}')`,
    );
    const since = new Date(Date.now() - 1_000).toISOString();
    expect(await run('close-after', '--since', since), lines.join('\n')).toBe(true);
    expect(await listStatus()).toEqual(closedAndKept);
  });

  it('settles however long a statement takes, also where the server has a limit for statements', async () => {
    await ask(
      `insert into content.event_sequences values ('content:c1', 4);
       create function public.be_slow() returns trigger language plpgsql as
         'begin perform pg_sleep(5.5); return new; end';
       create trigger slow before update on content.event_sequences execute function public.be_slow();
       do $$ begin execute format('alter database %I set statement_timeout = ''5s''', current_database()); end $$`,
    );
    const since = new Date(Date.now() - 1_000).toISOString();
    expect(await run('close-after', '--since', since, '--without-bus'), lines.join('\n')).toBe(true);
    expect(await ask('select sequence::text from content.event_sequences')).toEqual([
      { sequence: '1000004' },
    ]);
  });
});
