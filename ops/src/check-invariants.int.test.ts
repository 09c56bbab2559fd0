import { checkInvariants, migrateAll } from '@hookline/shared/postgres';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';
import { allInvariants } from './queries/invariants.ts';
import { sqlOf } from './queries/sql.ts';

const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => new pg.Client({ connectionString: database.url }));

// A product in which everything holds: a firing that was generated, charged, approved, scheduled and posted.
const sound = `
  insert into content.apps values ('app', 'acct', 'Pebblo', 'd', '{}', '{}', now(), now());
  insert into content.contents (id, account_id, app_id, type, status, approval_status, result, cost_charged,
      origin_automation_id, origin_firing_id, created_at, updated_at)
    values ('c1', 'acct', 'app', 'slideshow', 'ready', 'approved', '{}', 1, 'auto', 'f1', now(), now());
  insert into content.credit_accounts values ('acct', 24, 1, 25, 1, now(), now());
  insert into content.credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at) values
    ('l1', 'acct', 25, 'grant', null, now(), now()), ('l2', 'acct', -1, 'generation', 'c1', now(), now());
  insert into content.credit_reservations values ('c2', 'acct', now(), now() + interval '1 minute');
  insert into scheduling.creators (open_id) values ('o');
  insert into scheduling.platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
      access_token_sealed, refresh_token_sealed, connected_at, created_at, updated_at)
    values ('p', 'acct', 'o', 'u', 'U', 'connected', '{}', 'x', 'x', now(), now(), now());
  insert into scheduling.schedules (id, account_id, platform_account_id, content_id, content_version, status, outcome, mode,
      scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
      branded_content, ai_generated, auto_add_music, automation_id, firing_id, consented_at, is_immediate, due_at,
      created_at, updated_at)
    select id, 'acct', 'p', content, 1, status, outcome, 'draft', now(), 'T', 'D', true, true, false, false, false, true, true,
      'auto', firing, now(), false, due, now() - interval '1 day', now() - interval '1 day'
    from (values ('s1', 'c1', 'sent', 'sent_to_drafts', 'f1', null::timestamptz), ('s2', 'c2', 'pending', null, null, now()))
      as s (id, content, status, outcome, firing, due);
  insert into scheduling.attempts (id, schedule_id, open_id, fence, state, media_digest, image_ids, links_closed_at, started_at)
    values ('a1', 's1', 'o', 1, 'fenced', '1', '{}', now(), now()), ('a2', 's1', 'o', 2, 'delivered', '2', '{}', now(), now());
  insert into content.send_permits values ('s1', 'c1', 1, 1, now() - interval '1 day', now(), 'sent');
  insert into automation.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
      approval_mode, posting_mode, status, next_fire_at, created_at, updated_at)
    values ('auto', 'acct', 'app', 'p', 'slideshow', '[]', 'UTC', 'auto', 'drafts', 'active', now() + interval '1 day', now(), now());
  insert into automation.firings (id, automation_id, account_id, slot, status, approval_mode, content_id, schedule_id, created_at, updated_at)
    values ('f1', 'auto', 'acct', now(), 'done', 'auto', 'c1', 's1', now(), now() - interval '1 day');
  insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, created_at, updated_at)
    values ('d1', 'w', 'e', 'job.completed', 'c1', 1, 'delivered', now(), now());
  insert into analytics.published_posts values ('v', 'acct', 'v', 'youtube', 'y', now(), now(), now());
  insert into analytics.collections (post_id, account_id, platform, counted_day, views, next_at)
    values ('v', 'acct', 'youtube', '2026-01-01', 5, now());
  insert into analytics.daily_rollups values ('acct', '2026-01-01', 'youtube', 1, 5, 0, 0);
  insert into analytics.decks (content_id, account_id, approved_at, views, measured_at) values ('c1', 'acct', now(), 5, now());
  insert into content.outbox (event_id, topic, key, payload, headers) values ('fresh', 'content.jobs', 'c1', '{}', '{}');`;

// One defect for each, and the id that must be reported. The constraint that would prevent a defect is
// dropped first.
const defects: [name: string, id: string, plant: string][] = [
  ['the ledger, the balance and', 'acct', `delete from content.credit_ledger where id = 'l2'`],
  [
    'no balance is below zero',
    'acct',
    `alter table content.credit_accounts drop constraint credit_balance_never_negative,
       drop constraint credit_reserved_within_balance, drop constraint credit_sums_agree;
     update content.credit_accounts set balance = -1`,
  ],
  ['each credit that is set aside has its work', 'acct', 'delete from content.credit_reservations'],
  [
    'no credit stays set aside longer',
    'c2',
    `update content.credit_reservations set expires_at = now() - interval '6 minutes'`,
  ],
  [
    'a firing has one content',
    'f1',
    `drop index content.contents_one_per_firing;
     insert into content.contents (id, account_id, app_id, type, status, origin_firing_id, created_at, updated_at)
       values ('c9', 'acct', 'app', 'slideshow', 'queued', 'f1', now(), now())`,
  ],
  ['at most one made a post', 's1', `update scheduling.attempts set state = 'unknown' where id = 'a1'`],
  ['what is sent was delivered', 's1', `update scheduling.attempts set state = 'failed' where id = 'a2'`],
  [
    'a firing has one schedule',
    'f1',
    `drop index scheduling.schedules_one_per_firing; update scheduling.schedules set firing_id = 'f1'`,
  ],
  ['everything that waits has a due time', 's2', `update scheduling.schedules set due_at = null`],
  [
    'calls that the platform took are asked for',
    'a3',
    `update scheduling.schedules set status = 'sending' where id = 's2';
     insert into scheduling.attempts (id, schedule_id, open_id, fence, state, media_digest, image_ids, publish_id, started_at)
       values ('a3', 's2', 'o', 1, 'accepted', '3', '{}', 'x', now())`,
  ],
  [
    'a slot has one firing',
    'auto',
    `alter table automation.firings drop constraint firings_one_per_slot;
     insert into automation.firings (id, automation_id, account_id, slot, status, approval_mode, created_at, updated_at)
       select 'f2', automation_id, account_id, slot, 'fired', 'auto', now(), now() from automation.firings`,
  ],
  [
    'slots are settled within 10 minutes',
    'auto',
    `update automation.automations set next_fire_at = now() - interval '11 minutes'`,
  ],
  [
    'an event goes to an endpoint as one delivery',
    'e',
    `alter table automation.deliveries drop constraint deliveries_one_per_event;
     insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, created_at, updated_at)
       values ('d2', 'w', 'e', 'job.completed', 'c1', 1, 'delivered', now(), now())`,
  ],
  [
    'an enabled endpoint with pending deliveries is queued',
    'w',
    `insert into automation.webhooks (id, account_id, url, events, secrets, created_at, updated_at)
       values ('w', 'acct', 'https://example.com', '{job.completed}', '[]', now(), now());
     update automation.deliveries set status = 'pending', next_attempt_at = now()`,
  ],
  ['the rollups are the sum of the posts', 'acct', 'update analytics.daily_rollups set views = 6'],
  ['the days of decks are the sum of the decks', 'acct', 'update analytics.deck_days set total = 6'],
  ['what is posted is approved', 's1', `update content.contents set approval_status = 'rejected'`],
  ['the right to send ends', 's1', 'update content.send_permits set released_at = null, outcome = null'],
  ['a firing ends with its schedule', 'f1', `update automation.firings set status = 'scheduled'`],
  [
    'a firing moves on with its content',
    'f1',
    `update automation.firings set status = 'awaiting_approval', schedule_id = null, schedule_requested_at = null;
     update content.contents set updated_at = now() - interval '41 minutes'`,
  ],
  [
    'what a firing asks for is scheduled or refused',
    'f1',
    `update automation.firings set status = 'generated', schedule_id = null,
       schedule_requested_at = now() - interval '41 minutes'`,
  ],
  ...['content', 'scheduling', 'automation', 'analytics'].flatMap((schema): [string, string, string][] => [
    [
      `${schema}: events are published within 10 minutes`,
      'late',
      `insert into ${schema}.outbox (event_id, topic, key, payload, headers, created_at)
         values ('late', 'content.jobs', 'k', '{}', '{}', now() - interval '11 minutes')`,
    ],
    [
      `${schema}: the bus refused no event`,
      'dead',
      `insert into ${schema}.outbox_dead (id, event_id, topic, key, payload, headers, attempts, created_at)
         values (1, 'dead', 'content.jobs', 'k', '{}', '{}', 1, now())`,
    ],
  ]),
];

beforeAll(async () => {
  await admin.connect();
  await admin.query(sound);
});

describe('npm run ops -- check-invariants', () => {
  it.each(defects)('%s: finds %s', async (name, id, plant) => {
    await admin.query('begin');
    try {
      await admin.query(plant);
      const broken = (await checkInvariants(sqlOf(admin), allInvariants)).filter(
        finding => finding.total > 0,
      );
      const found = broken.find(finding => finding.name.includes(name));
      expect(found, JSON.stringify(broken)).toMatchObject({ total: 1, broken: [{ id }] });
      expect(found?.broken[0]?.what).toMatch(/\S/);
    } finally {
      await admin.query('rollback');
    }
  });

  it('has a defect for every invariant', () => {
    const unproven = allInvariants.filter(({ name }) => !defects.some(([part]) => name.includes(part)));
    expect(unproven).toEqual([]);
    expect(defects).toHaveLength(allInvariants.length);
  });

  it('works as a role that can read every schema and change nothing', async () => {
    const password = 'readers-password';
    await migrateAll({ adminUrl: database.url, passwords: { reader: password } });
    const url = new URL(database.url);
    Object.assign(url, { username: 'reader', password });
    const lines: string[] = [];
    const isRight = await runOps(['check-invariants'], { DATABASE_URL: url.href }, line => lines.push(line));
    expect(isRight, lines.join('\n')).toBe(true);
    const reader = new pg.Client({ connectionString: url.href });
    await reader.connect();
    try {
      for (const table of ['gateway.api_keys', 'content.contents', 'scheduling.schedules'])
        await expect(reader.query(`update ${table} set id = id`)).rejects.toThrow('permission denied');
    } finally {
      await reader.end();
    }
  });

  it('says ok for each, then names what is broken and ends with no', async () => {
    let lines: string[] = [];
    const run = () => {
      lines = [];
      return runOps(['check-invariants'], { DATABASE_URL: database.url }, line => lines.push(line));
    };
    expect(await run(), lines.join('\n')).toBe(true);
    expect(lines.filter(line => line.startsWith('ok '))).toHaveLength(allInvariants.length);
    expect(lines[0]).toMatch(/^not checked: dead letters/);
    expect(lines.at(-1)).toBe(`${allInvariants.length} invariants, 0 broken`);
    await admin.query(`insert into scheduling.outbox_dead (id, event_id, topic, key, payload, headers, attempts, created_at)
      select n, 'dead_' || n, 'content.jobs', 'k', '{}', '{}', 1, now() from generate_series(1, 25) n`);
    expect(await run()).toBe(false);
    expect(lines).toContain('BROKEN scheduling: the bus refused no event: 25');
    expect(lines).toContain('         dead_1: content.jobs: unknown');
    expect(lines).toContain('         and 5 more');
    expect(lines.at(-1)).toBe(`${allInvariants.length} invariants, 1 broken`);
  });
});
