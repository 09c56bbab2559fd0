/**
 * The order of the checks of `POST /schedules`: everything wrong at once, then one thing
 * after the other put right.
 */

import { dayMs } from '@hookline/shared/kernel/durations';
import { jpeg } from '@hookline/testing/jpeg';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { type Json, startWorld } from './world.ts';

const world = perSuite(() => startWorld({ role: 'api' }));

const tomorrow = (): string => new Date(Date.now() + dayMs).toISOString();
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

type Step = [expected: string, putRight: () => Promise<unknown> | unknown];

/** A caller's world in which everything is wrong, and the fixes, in the order of the documents. */
async function everythingWrong() {
  const caller = testCaller();
  const username = await world.newCreator();
  world.content.apps.set('product_two', caller.accountId);
  world.content.apps.set('product_one', caller.accountId);
  const account = await world.connect(caller, { username, appId: 'product_two' });
  const { db } = world.service;
  const set = (what: string) => db.query(`update platform_accounts set ${what} where id = $1`, [account.id]);
  await set(`status = 'needs_reauth', checked_at = null`);
  const content = world.content.addDeck(caller.accountId, { approvalStatus: 'pending' });
  const { images, accountId } = { images: [...content.images], accountId: caller.accountId };
  content.images = [];
  world.content.images.delete(images[1]!.imageId);
  const body: Json = {
    contentId: 'content_none',
    tiktokAccountId: 'account_none',
    scheduledFor: tomorrow(),
    mode: 'publish',
    colour: 'red',
  };
  const scopes: { current: Json[] } = { current: ['schedules:write'] };
  const good = jpeg(1080, 1350, 'fine');
  // Another schedule of the same pair, already waiting.
  const occupy = () =>
    db.query(
      `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, mode, scheduled_for,
         title, description, is_title_given, is_description_given, disable_comment, brand_organic, branded_content,
         ai_generated, auto_add_music, consented_at, is_immediate, due_at, created_at, updated_at)
       values ('schedule_other', $1, $2, $3, 1, 'pending', 'draft', now() + interval '1 day', '', '', true, true, false,
         false, false, true, true, now(), false, now() + interval '1 day', now(), now())`,
      [accountId, account.id, content.id],
    );
  const steps: Step[] = [
    ['400 invalid_request colour', () => delete body.colour],
    ['403 missing_scope', () => scopes.current.push('schedules:publish')],
    [
      '404 not_found',
      () => {
        body.contentId = content.id;
      },
    ],
    [
      '404 account_not_found',
      () => {
        body.tiktokAccountId = account.id;
      },
    ],
    [
      '409 not_approved',
      () => {
        content.approvalStatus = 'approved';
      },
    ],
    ['409 cross_app', () => set(`app_id = 'product_one'`)],
    ['409 account_needs_reauth', () => set(`status = 'connected'`)],
    [
      '409 no_images',
      () => {
        content.images = images.slice(1);
      },
    ],
    [
      '409 not_postable',
      () => {
        content.images = images;
      },
    ],
    ['409 slide_missing slide 2', () => world.content.images.set(images[1]!.imageId, png)],
    [
      '409 unsupported_image_format Slide 2',
      () => {
        // Another image: bytes never change under their id, so the facts read from them are cached for
        // minutes.
        const imageId = `${images[1]!.imageId}b`;
        content.images = images.map((image, at) => (at === 1 ? { ...image, imageId } : image));
        world.content.images.set(imageId, good);
      },
    ],
    [
      '400 missing_privacy_level',
      async () => {
        body.privacyLevel = 'FRIENDS';
        await occupy();
      },
    ],
    [
      '400 invalid_privacy_level',
      () => {
        body.privacyLevel = 'SELF_ONLY';
      },
    ],
    [
      '409 already_scheduled',
      async () => {
        await db.query(`delete from schedules where id = 'schedule_other'`);
        await world.control('PUT', `tiktok/accounts/${username}`, { canPost: false });
      },
    ],
    [
      '409 tiktok_create_failed daily post cap',
      async () => {
        await world.control('PUT', `tiktok/accounts/${username}`, { canPost: true });
        await world.setFaults({ operation: 'creator_info', kind: 'connection_dropped', times: 3 });
      },
    ],
    ['502 tiktok_create_failed', () => world.setFaults()],
  ];
  return { caller, scopes, body, steps, content };
}

describe('POST /v1/schedules answers the first thing that is wrong', () => {
  it.each(['', '?dryRun=true'])(
    'POST /v1/schedules%s answers the first problem in the order of the documents',
    async query => {
      const { caller, scopes, body, steps } = await everythingWrong();
      for (const [expected, putRight] of steps) {
        const [status = '', code = '', ...words] = expected.split(' ');
        const asked = { ...caller, scopes: [...scopes.current] };
        const answer = await world.call(asked, 'POST', `/v1/schedules${query}`, body);
        expect([expected, answer.status, answer.body.error?.code]).toEqual([expected, Number(status), code]);
        expect(answer.body.error.message).toContain(words.join(' '));
        const { param: _, ...error } = answer.body.error;
        expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId']);
        await putRight();
      }
      const allRight = { ...caller, scopes: [...scopes.current] };
      const answer = await world.call(allRight, 'POST', `/v1/schedules${query}`, body);
      expect(answer.status).toBe(query ? 200 : 201);
    },
  );

  it('preflight lists the same problems, in the same order, with slide, measured value and limit', async () => {
    const { caller, body, steps, content } = await everythingWrong();
    for (const [, putRight] of steps.slice(0, 4)) await putRight();
    const ask = async () => {
      const query = new URLSearchParams({ tiktokAccountId: body.tiktokAccountId, mode: 'publish' });
      return (await world.call(caller, 'GET', `/v1/content/${content.id}/preflight?${query}`)).body.data;
    };
    expect((await ask()).problems.map((one: Json) => one.code)).toEqual([
      'not_approved',
      'cross_app',
      'account_needs_reauth',
      'no_images',
      'missing_privacy_level',
    ]);
    for (const [, putRight] of steps.slice(4, 9)) await putRight();
    const { problems } = await ask();
    expect(problems.map((one: Json) => [one.code, one.slide])).toEqual([
      ['slide_missing', 2],
      ['missing_privacy_level', null],
    ]);
    const big = world.content.addDeck(caller.accountId, { slides: 36 });
    world.content.images.set(big.images[0]!.imageId, jpeg(1086, 1448, 'big'));
    const { body: deck } = await world.call(caller, 'GET', `/v1/content/${big.id}/preflight`);
    expect(deck.data.problems.map(({ message, ...facts }: Json) => [facts, /\d/.test(message)])).toEqual([
      [{ code: 'too_many_slides', slide: null, measured: 36, limit: 35 }, true],
      [{ code: 'image_too_large', slide: 1, measured: 1086, limit: 1080 }, true],
    ]);
    const foreign = await world.call(testCaller(), 'GET', `/v1/content/${content.id}/preflight`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
    const nowhere = await world.call(
      caller,
      'GET',
      `/v1/content/${big.id}/preflight?tiktokAccountId=account_x`,
    );
    expect(nowhere.body.data.problems[0].code).toBe('account_not_found');
  });
});
