import { newId } from '@hookline/shared/kernel';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';

const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => new pg.Client({ connectionString: database.roleUrl('scheduling') }));
const failedId = newId('schedule');
const dueId = newId('schedule');

beforeAll(async () => {
  await admin.connect();
  await admin.query(`insert into creators (open_id) values ('o')`);
  await admin.query(
    `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes, access_token_sealed,
       refresh_token_sealed, connected_at, created_at, updated_at)
     values ('p', 'acct', 'o', 'u', 'U', 'connected', '{}', 'x', 'x', now(), now(), now())`,
  );
  await admin.query(
    `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, failure, mode,
       scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
       branded_content, ai_generated, auto_add_music, consented_at, is_immediate, due_at, created_at, updated_at)
     select id, 'acct', 'p', content, 3, status, failure, 'draft', '2026-11-20T09:00:00Z', 'T', 'D', true, true, false, false,
       false, true, true, now(), false, due, now(), now()
     from (values ($1, 'c1', 'failed', $3::jsonb, null), ($2, 'c2', 'pending', null, '2026-11-20T09:00:00Z'::timestamptz))
       as s (id, content, status, failure, due)`,
    [
      failedId,
      dueId,
      {
        code: 'tiktok_publish_failed',
        category: 'platform_rejected',
        message: 'TikTok rejected the post.',
        retryable: false,
        platformMessage: 'spam_risk',
      },
    ],
  );
  await admin.query(
    `insert into schedule_timeline (schedule_id, at, what, detail)
     values ($1, '2026-11-20T08:00:00Z', 'created', 'for 2026-11-20T09:00:00.000Z, draft'),
       ($1, '2026-11-20T09:00:01Z', 'sending', null),
       ($2, '2026-11-20T08:00:00Z', 'created', 'for 2026-11-20T09:00:00.000Z, draft')`,
    [failedId, dueId],
  );
});

async function run(...args: string[]): Promise<{ isDone: boolean; lines: string[] }> {
  const lines: string[] = [];
  const isDone = await runOps(args, { DATABASE_URL: database.url }, line => lines.push(line));
  return { isDone, lines };
}

describe('npm run ops -- timeline', () => {
  it('shows the schedule, why it failed, and each step', async () => {
    expect(await run('timeline', failedId)).toEqual({
      isDone: true,
      lines: [
        `${failedId}  failed  draft for 2026-11-20T09:00:00.000Z`,
        'c1 version 3 to p of acct',
        'tiktok_publish_failed: TikTok rejected the post.',
        'the platform said: spam_risk',
        '2026-11-20T08:00:00.000Z  created         for 2026-11-20T09:00:00.000Z, draft',
        '2026-11-20T09:00:01.000Z  sending',
      ],
    });
  });

  it('says that there is none', async () => {
    const { isDone, lines } = await run('timeline', newId('schedule'));
    expect(isDone).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/is not there: it never was, or it was withdrawn\.$/)]);
  });
});

describe('npm run ops -- pause-sending and resume-sending', () => {
  it('says since when, and why on the timeline', async () => {
    const paused = await run('pause-sending', '--reason', 'TikTok is down');
    expect(paused.lines).toEqual([
      expect.stringMatching(/^Sending is paused since 20.+Z\.$/),
      'It goes on with: npm run ops -- resume-sending.',
    ]);
    expect((await run('pause-sending')).lines[0]).toMatch(/^Sending was paused already, since 20/);
    expect((await run('timeline', dueId)).lines.at(-1)).toMatch(
      /Z {2}paused {10}the operator lets no post go out: TikTok is down$/,
    );
    expect((await run('resume-sending')).lines).toEqual([
      expect.stringMatching(/^Sending goes on; it was paused since 20.+Z\.$/),
    ]);
    expect((await run('resume-sending')).lines).toEqual(['Sending was not paused; nothing changed.']);
    expect((await run('timeline', dueId)).lines.at(-1)).toMatch(/until 20.+Z: TikTok is down$/);
  });
});
