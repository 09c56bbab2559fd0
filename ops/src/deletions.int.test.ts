/** A deletion finds every row of a workspace, and none of another. */

import * as analytics from '@hookline/analytics/ops';
import * as automation from '@hookline/automation/ops';
import * as content from '@hookline/content/ops';
import * as gateway from '@hookline/gateway/ops';
import * as scheduling from '@hookline/scheduling/ops';
import { deleteRows } from '@hookline/shared/leaving';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

const steps = {
  content: content.deletionSteps,
  scheduling: scheduling.deletionSteps,
  automation: automation.deletionSteps,
  analytics: analytics.deletionSteps,
  gateway: gateway.deletionSteps,
};
const schemas = Object.keys(steps) as (keyof typeof steps)[];

/** Tables with the id of a workspace that the steps leave out, and why. */
const leftOut: Record<string, string> = {
  workspace_standings: 'remembers that the workspace is deleted',
  'gateway.invitation_mails': 'counts the mails of a day, which a deletion must not reset',
  'gateway.workspace_deletions': 'evidence of the deletion',
  'gateway.workspace_deletion_parts': 'evidence of the deletion',
  'gateway.users': 'goes with the people, when the deletion begins',
  'gateway.oidc_users': 'goes with the people, when the deletion begins',
  'gateway.members': 'goes with the people, and with the workspace',
  'gateway.invitations': 'goes with the people, and with the workspace',
  'gateway.review_links': 'goes with the people',
};

/** A row in every table; `~` stands for the workspace. */
const rows = `
  insert into content.apps values ('app~', 'acct~', 'Pebblo', 'd', '{}', '{}', now(), now());
  insert into content.contents (id, account_id, app_id, type, status, result, cost_charged, created_at, updated_at)
    values ('c~', 'acct~', 'app~', 'slideshow', 'ready', '{}', 1, now(), now());
  insert into content.approvals values ('c~', 1, 'approved', 'key', 'req', now());
  insert into content.slide_files (digest, look_at) values (sha256('slide~'), now() + interval '1 day'),
    (sha256('picture~'), now() + interval '1 day');
  insert into content.slide_files (digest, look_at, thumbnail_of)
    values (sha256('small~'), now() + interval '1 day', sha256('slide~'));
  insert into content.slide_images values ('image~', 'c~', 1, 0, 10, 10, 10, 'image/jpeg', sha256('slide~'), now());
  insert into content.pictures (id, account_id, app_id, kind, width, height, bytes, content_type, digest, created_at,
      updated_at)
    values ('picture~', 'acct~', 'app~', 'upload', 10, 10, 10, 'image/jpeg', sha256('picture~'), now(), now());
  insert into content.text_models (account_id, provider, model, base_url, key_sealed, updated_at)
    values ('acct~', 'openai', 'm', 'https://api.openai.com/v1', 'x', now());
  insert into content.wanted_screenshots values ('app~', 'https://example.com', now());
  insert into content.send_permits values ('s~', 'c~', 1, 1, now());
  insert into content.content_timeline (content_id, at, what) values ('c~', now(), 'edited');
  insert into content.comments values ('comment~', 'c~', 1, null, 't', null, now());
  insert into content.known_schedules values ('s~', 'c~', true, 1, now());
  insert into content.credit_accounts values ('acct~', 24, 1, 25, 1, now(), now());
  insert into content.credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at)
    values ('l1~', 'acct~', 25, 'grant', null, now(), now()), ('l2~', 'acct~', -1, 'generation', 'c~', now(), now());
  insert into content.credit_reservations values ('c~', 'acct~', now(), now());
  insert into content.daily_generations values ('acct~', now(), 1);
  insert into content.edit_draws values ('acct~', '{}');
  insert into content.store_callers values ('apple', 'acct~', now(), now());

  insert into scheduling.creators (open_id) values ('o~'), ('shared') on conflict do nothing;
  insert into scheduling.platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
      connected_at, created_at, updated_at)
    select 'p~' || open_id, 'acct~', open_id, 'u', 'U', 'disconnected', '{}', now(), now(), now()
    from (values ('o~'), ('shared')) as creator (open_id);
  insert into scheduling.connect_states (state_digest, account_id, redirect_uri, expires_at)
    values (sha256('state~'), 'acct~', 'x', now());
  insert into scheduling.sending_pauses (of_account, paused_at) values ('acct~', now());
  insert into scheduling.schedules (id, account_id, platform_account_id, content_id, content_version, status, outcome,
      mode, scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
      branded_content, ai_generated, auto_add_music, consented_at, is_immediate, created_at, updated_at)
    values ('s~', 'acct~', 'p~o~', 'c~', 1, 'sent', 'sent_to_drafts', 'draft', now(), 'T', 'D', true, true, false,
      false, false, true, true, now(), false, now(), now());
  insert into scheduling.schedule_timeline (schedule_id, at, what) values ('s~', now(), 'created');
  insert into scheduling.post_readings (schedule_id, platform_account_id, next_at) values ('s~', 'p~o~', now());
  insert into scheduling.schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
      scheduled_for, mode, schedule_id, created_at)
    values ('f~', 'acct~', 'auto~', 'c~', 'p~o~', now(), 'draft', 's~', now());
  insert into scheduling.attempts (id, schedule_id, open_id, fence, state, media_digest, image_ids, links_closed_at,
      started_at)
    values ('a~', 's~', 'o~', 1, 'delivered', sha256('media~'), '{}', now(), now()),
      ('withdrawn~', null, 'o~', 1, 'fenced', sha256('fenced~'), '{}', now(), now());

  insert into automation.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
      approval_mode, posting_mode, deleted_at, created_at, updated_at)
    values ('auto~', 'acct~', 'app', 'p', 'slideshow', '[]', 'UTC', 'auto', 'drafts', now(), now(), now());
  insert into automation.firings (id, automation_id, account_id, slot, status, approval_mode, created_at, updated_at)
    values ('f~', 'auto~', 'acct~', now(), 'done', 'auto', now(), now());
  insert into automation.webhooks (id, account_id, url, events, secrets, created_at, updated_at)
    values ('w~', 'acct~', 'https://example.com', '{job.completed}', '[]', now(), now());
  insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, created_at,
      updated_at)
    values ('d~', 'w~', 'e~', 'job.completed', 'c~', 1, 'delivered', now(), now());
  insert into automation.webhook_queue values ('w~', now());
  insert into automation.feed_heads values ('acct~', 1);
  insert into automation.feed_events (id, account_id, position, type, resource, sequence, data, created_at)
    values ('e~', 'acct~', 1, 'job.completed', 'c~', 1, '{}', now());

  insert into analytics.published_posts values ('v~', 'acct~', 'v', 'youtube', 'y', now(), now(), now());
  insert into analytics.collections (post_id, account_id, platform, counted_day, next_at)
    values ('v~', 'acct~', 'youtube', now(), now());
  insert into analytics.post_days values ('v~', now(), 1, 1, 1, now());
  select analytics.ensure_snapshot_partition(now()::date);
  insert into analytics.metric_snapshots values ('v~', now(), 1, 1, 1);
  insert into analytics.metric_sources (id, account_id, platform, platform_user_id, username, status, token_sealed,
      refresh_at, created_at, updated_at)
    values ('m~', 'acct~', 'instagram', 'u', 'u', 'connected', 'x', now(), now(), now());
  insert into analytics.decks (content_id, account_id, approved_at, views, measured_at) values ('c~', 'acct~', now(), 5, now());
  insert into analytics.lessons (app_id, account_id) values ('p~', 'acct~');
  insert into analytics.verdicts values ('acct~', 'x~', '{}');
  insert into analytics.daily_rollups values ('acct~', now(), 'youtube', 1, 5, 0, 0);

  insert into gateway.users (id, account_id, email, password_hash, created_at, updated_at)
    values ('user~', 'acct~', 'maya~@example.com', 'x', now(), now());
  insert into gateway.api_keys (id, account_id, name, prefix, key_hash, scopes, created_at, updated_at)
    values ('key~', 'acct~', 'k', 'svc', sha256('key~'), '{apps:read}', now(), now());
  insert into gateway.oauth_codes values (sha256('code~'), 'client', 'x', 'x', 'acct~', 'user~', 'k', '{apps:read}',
    'key~', now());
  insert into gateway.oauth_grants values ('key~', 'client', sha256('family~'), sha256('refresh~'), sha256('access~'),
    now());
  insert into gateway.sessions (id, user_id, token_hash, expires_at, created_at)
    values ('session~', 'user~', sha256('session~'), now(), now());
  insert into gateway.push_subscriptions values ('session~', 'https://push~', 'x', 'x', now());
  insert into gateway.pushes (session_id, account_id, kind, due_at)
    values ('session~', 'acct~', 'post_failed', now());
  insert into gateway.workspace_exports values ('export~', 'acct~', 'user~', now(), now(), now());
  insert into gateway.changes (account_id, kind, resource_id, changed_at) values ('acct~', 'app', 'app~', now());
  insert into gateway.audit_events (id, account_id, at, actor_kind, action, subject_kind, detail)
    values ('audit~', 'acct~', now(), 'person', 'key.created', 'key', '{}');
  ${['content', 'scheduling', 'automation', 'analytics', 'gateway']
    .map(
      schema => `insert into ${schema}.idempotency_keys (account_id, route, key, body_digest, resource_id, locked_until)
        values ('acct~', 'r', 'k', '1', 'id', now());`,
    )
    .join('\n')}`;

const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => new pg.Client({ connectionString: database.url }));

beforeAll(async () => {
  await admin.connect();
  for (const workspace of ['Leaver', 'Other']) await admin.query(rows.replaceAll('~', workspace));
});

async function countOf(table: string, workspace: string): Promise<number> {
  const text = `select count(*)::int as count from ${table} t where t::text like $1`;
  return (await admin.query(text, [`%${workspace}%`])).rows[0].count;
}

describe.each(schemas)('a deletion in %s', schema => {
  const tables = steps[schema].map(({ table }) => `${schema}.${table}`);

  it('covers every table with the id of a workspace', async () => {
    const { rows: found } = await admin.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
         join pg_class on relname = c.table_name and relnamespace = $1::text::regnamespace
       where c.table_schema = $1::text and c.column_name in ('account_id', 'workspace_id') and not relispartition
         and relkind in ('r', 'p')`,
      [schema],
    );
    const named = found.map(({ name }) => name);
    const isLeftOut = (name: string) => name in leftOut || `${schema}.${name}` in leftOut;
    const covered = new Set(steps[schema].map(({ table }) => table));
    expect(named.filter(name => !covered.has(name) && !isLeftOut(name))).toEqual([]);
  });

  it('removes every row of the workspace, as the role of the service, and none of another', async () => {
    const before: Record<string, number> = {};
    for (const table of tables) {
      if ((await countOf(table, 'Leaver')) === 0) throw new Error(`the test has no row in ${table}`);
      before[table] = await countOf(table, 'Other');
    }
    const db = openTestDatabase(database.roleUrl(schema), 1);
    try {
      const untilMs = performance.now() + 60_000;
      // The process dies in the middle: what it has deleted stays deleted, and another goes on.
      let batches = 0;
      const dying: typeof db = {
        ...db,
        transaction: work => (++batches > 2 ? Promise.reject(new Error('killed')) : db.transaction(work)),
      };
      await expect(deleteRows(dying, steps[schema], 'acctLeaver', untilMs)).rejects.toThrow('killed');
      expect(await deleteRows(db, steps[schema], 'acctLeaver', untilMs)).toBe(true);
      // A repeat finds nothing.
      expect(await deleteRows(db, steps[schema], 'acctLeaver', untilMs)).toBe(true);
    } finally {
      await db.close();
    }
    for (const table of tables) {
      expect([table, await countOf(table, 'Leaver')]).toEqual([table, 0]);
      expect([table, await countOf(table, 'Other')]).toEqual([table, before[table]]);
    }
  });
});

it('knows every table with rows of people that name no workspace', async () => {
  const { rows: found } = await admin.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns c
     where table_schema = 'gateway' and column_name in ('user_id', 'subject_id', 'recipient', 'email')
       and not exists (select 1 from information_schema.columns o where o.table_schema = 'gateway'
         and o.table_name = c.table_name and o.column_name = 'account_id')
     order by 1`,
  );
  // Deleted with the people, when the deletion begins; those of addresses and passkeys by the foreign key.
  const ofPeople = ['mails', 'one_time_links', 'passkeys', 'recovery_codes', 'sessions', 'sign_in_addresses'];
  expect(found.map(({ name }) => name)).toEqual(ofPeople);
});

it('hands the files to the reaper, and keeps creators that another workspace posts for', async () => {
  const { rows: due } = await admin.query(
    `select count(*) filter (where look_at <= now() + interval '1 hour')::int as soon,
       count(*) filter (where look_at between now() + interval '1 hour' and now() + interval '3 hours')::int as after,
       count(*) filter (where look_at > now() + interval '3 hours')::int as later
     from content.slide_files`,
  );
  expect(due).toEqual([{ soon: 2, after: 1, later: 3 }]);
  const { rows: creators } = await admin.query('select open_id from scheduling.creators order by 1');
  expect(creators.map(({ open_id }) => open_id)).toEqual(['oOther', 'shared']);
});
