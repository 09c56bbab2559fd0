import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { content } from '@hookline/content';
import { testS3Url } from '@hookline/infra/test-infra';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBucket, s3Environment, s3SettingsOf } from '../../content/test/s3.ts';
import { setWorkspacePause } from '../src/pauses/pause.ts';
import { type Answer, type Json, startWorld, type World } from './world.ts';

const s3Url = await testS3Url();
let world: World;
let owner: TestService;
const closing: (() => Promise<unknown>)[] = [];

async function start(env: Record<string, string>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-with-content-'));
  const database = await createMigratedDatabase();
  const stores = await startSimulators({ port: 0, dataDir: join(dataDir, 'stores') });
  owner = await startTestService(content, {
    database,
    env: {
      PUBLIC_URL: 'http://localhost:8080',
      DATA_DIR: dataDir,
      APP_STORE_URL: `http://127.0.0.1:${stores.port}/appstore`,
      GOOGLE_PLAY_URL: `http://127.0.0.1:${stores.port}/googleplay`,
      ...env,
    },
  });
  world = await startWorld({
    database,
    contentUrl: owner.url,
    simulators: { publishDelayMs: 100 },
    timings: { resendPausesMs: [4_000] },
  });
  closing.push(
    () => world.stop(),
    () => owner.stop(),
    () => stores.close(),
    () => database.drop(),
    async () => rmSync(dataDir, { recursive: true, force: true }),
  );
}

/** Settings of a new bucket. */
async function openBucket(url: string): Promise<Record<string, string>> {
  const settings = s3SettingsOf(url, 'slides-posted');
  (await createBucket(settings)).close();
  return s3Environment(settings);
}

/** Creates an app, a deck in the real content service, and a creator connected for it. */
async function prepareDeck(caller: ReturnType<typeof testCaller>, slideCount: number) {
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    (await owner.call(method, path, {
      caller,
      headers: { 'idempotency-key': newId('req') },
      ...(body === undefined ? {} : { body }),
    })) as Answer;
  const appStoreUrl = 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011';
  const app = (await ask('POST', '/v1/apps', { name: 'Pebblo', appStoreUrl })).body.data;
  const brief = { templateId: 'quote-card', slideCount };
  const deck = (await ask('POST', '/v1/content', { appId: app.id, type: 'slideshow', brief })).body.data;
  const username = await world.newCreator();
  const account = await world.connect(caller, { appId: app.id, username });
  return { ask, app, deck, username, account };
}

describe('with the real content service, and an S3 store if there is one', () => {
  beforeAll(async () => start(s3Url === null ? {} : await openBucket(s3Url)));
  afterAll(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('what is due on a phone ends with the rejection of its deck; what is posted is final', async () => {
    const caller = testCaller();
    const { ask, deck } = await prepareDeck(caller, 4);
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
    const body = { contentId: deck.id, tiktokAccountId: phone.body.data.id };
    const due = async (): Promise<string> => {
      const { status, body: created } = await world.schedule(caller, body);
      expect([status, created.data.status]).toEqual([201, 'due']);
      return `/v1/schedules/${created.data.id}`;
    };
    const ended = await due();
    const reason = 'The second slide is wrong.';
    expect((await ask('POST', `/v1/content/${deck.id}/reject`, { reason })).status).toBe(200);
    await eventually(async () => {
      const failure = { code: 'not_approved', retryable: false };
      expect((await world.call(caller, 'GET', ended)).body.data).toMatchObject({
        status: 'failed',
        failure,
      });
    });
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const posted = await world.call(caller, 'POST', `${await due()}/posted`);
    expect(posted.body.data).toMatchObject({ status: 'sent', outcome: 'published' });
    await eventually(async () => {
      const answer: Json = await ask('POST', `/v1/content/${deck.id}/reject`);
      expect(answer.body.error?.code).toBe('already_sent');
    });
    const { body: timeline } = await ask('GET', `/v1/content/${deck.id}/timeline`);
    const whats = timeline.data.map(({ what }: Json) => what);
    expect(whats.slice(2)).toEqual([
      ...['approved', 'scheduled', 'due', 'rejected', 'not_delivered', 'approved'],
      ...['scheduled', 'due', 'sent', 'delivered'],
    ]);
  });

  it('Posted names its version: an older approved one is recorded as such, and the newer can be decided', async () => {
    const caller = testCaller();
    const { ask, deck } = await prepareDeck(caller, 4);
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
    const body = { contentId: deck.id, tiktokAccountId: phone.body.data.id };
    const { id, description } = (await world.schedule(caller, body)).body.data;
    const posted = (version?: number) =>
      world.call(caller, 'POST', `/v1/schedules/${id}/posted`, version === undefined ? {} : { version });
    await ask('PATCH', `/v1/content/${deck.id}`, { caption: 'Nothing is promised.', hashtags: [] });
    for (const version of [undefined, 2, 7]) {
      const refused = await posted(version);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'not_approved']);
    }
    const done = await posted(1);
    expect([done.status, done.body.data]).toMatchObject([
      200,
      { status: 'sent', contentVersion: 1, description },
    ]);
    expect((await ask('POST', `/v1/content/${deck.id}/approve`, { version: 2 })).body.data).toMatchObject({
      approvalStatus: 'approved',
    });
    await eventually(async () => {
      const answer = await ask('POST', `/v1/content/${deck.id}/reject`);
      expect(answer.body.error.code).toBe('already_sent');
    });
  });

  it('what is due on a phone has the texts of the version that was approved last', async () => {
    const caller = testCaller();
    const { ask, deck } = await prepareDeck(caller, 4);
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
    const body = { contentId: deck.id, tiktokAccountId: phone.body.data.id, title: 'My own title' };
    const { id, description } = (await world.schedule(caller, body)).body.data;
    await ask('PATCH', `/v1/content/${deck.id}`, { caption: 'Nothing is promised.', hashtags: [] });
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const read = async (): Promise<Json> =>
      (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    await eventually(async () => {
      expect(await read()).toMatchObject({
        ...{ status: 'due', contentVersion: 2 },
        ...{ title: 'My own title', description: 'Nothing is promised.' },
      });
    });
    const whats = (await read()).timeline.map(({ what }: Json) => what);
    expect(whats.slice(2)).toEqual(['due', 'held', 'version_changed', 'sending', 'due']);
    // Whoever posted had the first version on the phone.
    const posted = await world.call(caller, 'POST', `/v1/schedules/${id}/posted`, { version: 1 });
    expect(posted.body.data).toMatchObject({ contentVersion: 1, title: 'My own title', description });
  });

  it('a rendered deck is posted; approve, reject and edit answer already_sent from then on', async () => {
    const caller = testCaller();
    const { ask, app, deck, username, account } = await prepareDeck(caller, 4);
    expect(account.appId).toBe(app.id);

    const body = { contentId: deck.id, tiktokAccountId: account.id };
    expect((await world.schedule(caller, body)).body.error.code).toBe('not_approved');
    await ask('POST', `/v1/content/${deck.id}/approve`);
    const preflight = await world.call(
      caller,
      'GET',
      `/v1/content/${deck.id}/preflight?tiktokAccountId=${account.id}`,
    );
    expect(preflight.body.data).toEqual({ postable: true, problems: [] });

    const created = await world.schedule(caller, body);
    expect(created.status).toBe(201);
    expect((await world.over(caller, created.body.data.id)).outcome).toBe('sent_to_drafts');
    const [post] = await world.posts(username);
    expect(post.imageDigests).toHaveLength(4);
    await eventually(async () => {
      const answer: Json = await ask('POST', `/v1/content/${deck.id}/reject`);
      expect(answer.body.error?.code).toBe('already_sent');
    });
  });

  it('a post that waits to be sent again has no permit: a rejection then ends it', async () => {
    const caller = testCaller();
    const { ask, deck, username, account } = await prepareDeck(caller, 3);
    await ask('POST', `/v1/content/${deck.id}/approve`);
    await world.setFaults({ operation: 'publish', kind: 'photo_pull_failed', times: 1 });
    const created = await world.schedule(caller, { contentId: deck.id, tiktokAccountId: account.id });
    const { id } = created.body.data;
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(body.data.timeline.map((row: Json) => row.what)).toContain('requeued');
    });
    await eventually(async () => {
      expect((await ask('POST', `/v1/content/${deck.id}/reject`)).status).toBe(200);
    });
    const done = await world.over(caller, id);
    expect(done.failure).toMatchObject({ code: 'not_approved', retryable: false });
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
  });

  it('an app is not deleted while a post of it waits that was tried again', async () => {
    const caller = testCaller();
    const { ask, app, deck, account } = await prepareDeck(caller, 3);
    await ask('POST', `/v1/content/${deck.id}/approve`);
    await world.setFaults({ operation: 'content_init', kind: 'spam_risk_too_many_pending_share', times: 1 });
    await world.schedule(caller, { contentId: deck.id, tiktokAccountId: account.id });
    const [{ id }] = (await world.call(caller, 'GET', '/v1/schedules?status=failed')).body.data;
    const whats = async () =>
      (await ask('GET', `/v1/content/${deck.id}/timeline`)).body.data.map(({ what }: Json) => what);
    await eventually(async () => expect((await whats()).at(-1)).toBe('not_delivered'));
    const { db } = world.service;
    await setWorkspacePause({ db, now: () => new Date() }, caller.accountId, true);
    expect((await world.call(caller, 'POST', `/v1/schedules/${id}/retry`)).status).toBe(200);
    await eventually(async () => expect((await whats()).at(-1)).toBe('postponed'));
    const refused = await ask('DELETE', `/v1/apps/${app.id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_request']);
  });
});
