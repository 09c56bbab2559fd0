/** Many posts are due at once whose access tokens are over, as at nine o'clock of a workday. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { endRefreshLease, takeRefreshLease } from '../src/accounts/queries-tokens.ts';
import { addExpiredAccount, depsOf, inMs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

/** An account with a post for later, whose access token is over and who was checked a moment ago. */
async function expired() {
  const { caller, content, account } = await world.ready();
  await world.service.db.query(
    'update platform_accounts set access_expires_at = now(), kept_at = now() where id = $1',
    [account.id],
  );
  const order = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
  const { body } = await world.schedule(caller, order);
  return { caller, accountId: account.id as string, id: body.data.id as string };
}

const makeDue = (ids: string[]) =>
  world.service.db.query(
    `with due as (update schedules set scheduled_for = now(), due_at = now() where id = any($1))
     select pg_notify('scheduling_work', '')`,
    [ids],
  );
const over = async ({ caller, id }: Awaited<ReturnType<typeof expired>>): Promise<Json> => {
  const { status, timeline } = await world.over(caller, id, 30_000);
  return { status, whats: timeline.map((line: Json) => line.what) };
};
const atOnce = ['created', 'sending', 'attempt_started', 'accepted', 'sent'];

it('tokens that expired together delay no post: each goes out at its first try', async () => {
  const posts: Awaited<ReturnType<typeof expired>>[] = [];
  while (posts.length < 40) posts.push(...(await Promise.all([1, 2, 3, 4, 5].map(expired))));
  await world.setFaults({ operation: 'oauth_token', kind: 'slow', delayMs: 300 });
  await makeDue(posts.map(({ id }) => id));
  const ends = await Promise.all(posts.map(over));
  expect(ends).toEqual(posts.map(() => ({ status: 'sent', whats: atOnce })));
  await world.setFaults();
}, 90_000);

it('a post whose account another process renews for too long waits its turn, which is no try', async () => {
  const post = await expired();
  const { db } = world.service;
  await takeRefreshLease(db, { id: post.accountId, holder: 'another' }, 60_000);
  await makeDue([post.id]);
  const queued = 'select from schedules where id = $1 and lease_until is null and due_at > now()';
  await expect.poll(() => db.query(queued, [post.id]), { timeout: 20_000, interval: 50 }).toHaveLength(1);
  const [row] = await db.query('select tries from schedules where id = $1', [post.id]);
  expect(row).toEqual({ tries: 0 });
  await endRefreshLease(db, post.accountId, 'another');
  expect(await over(post)).toEqual({ status: 'sent', whats: atOnce });
}, 40_000);

it('while the endpoint hangs, posts with a valid token go out past all that wait for it', async () => {
  const hanging = await startWorld({ timings: { callTimeoutMs: 30_000 } });
  const { db } = hanging.service;
  const { carriers, secretBox } = depsOf(hanging);
  try {
    const { caller, content, account, username } = await hanging.ready();
    const order = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
    const { id } = (await hanging.schedule(caller, order)).body.data;
    await hanging.setFaults({ operation: 'oauth_token', kind: 'slow', delayMs: 40_000 });
    // More than are sent at once.
    const accountIds = await Promise.all(Array.from({ length: 150 }, () => addExpiredAccount(db, secretBox)));
    await db.query(
      `with copies as (
         insert into schedules select r.* from schedules s, unnest($2::text[]) account,
           lateral jsonb_populate_record(s, jsonb_build_object('id', 'schedule_' || account, 'due_at', now(),
             'content_id', 'content_' || account, 'platform_account_id', account)) r
         where s.id = $1
       )
       update schedules set due_at = now() + interval '100 ms' where id = $1`,
      [id, accountIds],
    );
    await db.query(`select pg_notify('scheduling_work', '')`);
    expect((await hanging.over(caller, id, 20_000)).status).toBe('sent');
    expect(await hanging.posts(username)).toHaveLength(1);
  } finally {
    await carriers.tiktok.close();
    await hanging.stop();
  }
}, 90_000);
