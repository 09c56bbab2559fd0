/**
 * A firing with the real content service: the end of the saga when nothing can be generated, and when it can.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { content } from '@hookline/content';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
  testPerson,
} from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const caller = testCaller();

type Services = { owner: TestService; service: TestService; stop(): Promise<void> };
type World = Pick<Services, 'owner' | 'service'> & { appId: string };

async function start(env: Record<string, string> = {}): Promise<Services> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-firings-'));
  const database = await createMigratedDatabase();
  const peers = await startPeerDoubles();
  const stores = await startSimulators({ port: 0, dataDir: join(dataDir, 'stores') });
  const common = { PUBLIC_URL: 'http://localhost:8080', DATA_DIR: dataDir };
  const owner = await startTestService(content, {
    database,
    env: {
      ...common,
      APP_STORE_URL: `http://127.0.0.1:${stores.port}/appstore`,
      GOOGLE_PLAY_URL: `http://127.0.0.1:${stores.port}/googleplay`,
      ...env,
    },
  });
  const service = await startTestService(automation, {
    database,
    env: { ...common, ...peers.env, CONTENT_URL: owner.url },
  });
  peers.addAccount(caller.accountId, 'account_mine');
  return {
    owner,
    service,
    async stop() {
      await service.stop();
      await owner.stop();
      await stores.close();
      await peers.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An app of its own: what is known of one stays out of the other tests. */
async function withApp({ owner, service }: Services): Promise<World> {
  const body = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  const app = await owner.call('POST', '/v1/apps', { caller, body });
  return { owner, service, appId: (app.body as { data: { id: string } }).data.id };
}

type Firing = { id: string; status: string; contentId: string; reason: string | null };

/** Fires an automation several times, one after the other. @returns its firings, oldest first. */
async function fire({ service, appId }: World, times: number, settings = {}): Promise<Firing[]> {
  const postingTimes = [{ time: '09:00', days: ['mon'] }];
  const body = { appId, tiktokAccountId: 'account_mine', format: 'slideshow', postingTimes, ...settings };
  const made = await service.call('POST', '/v1/automations', { caller, body });
  const { id } = (made.body as { data: { id: string } }).data;
  const list = async (): Promise<Firing[]> => {
    const answer = await service.call('GET', `/v1/automations/${id}/firings`, { caller });
    return (answer.body as { data: Firing[] }).data.toReversed();
  };
  for (let fired = 1; fired <= times; fired += 1) {
    await service.call('POST', `/v1/automations/${id}/run`, { caller });
    await eventually(async () => {
      const firings = await list();
      expect(firings).toHaveLength(fired);
      expect(firings.at(-1)?.status).not.toBe('fired');
    }, 15_000);
  }
  return await list();
}

describe('a firing with the real content service, for the last credit', () => {
  const poor = perSuite(() => start({ SIGNUP_CREDITS: '1' }));

  it('a firing fails with insufficient_credits when no credit is left, and charges nothing', async () => {
    const world = await withApp(poor);
    const firings = await fire(world, 2);
    expect(firings.map(({ status }) => status)).toEqual(['awaiting_approval', 'failed']);
    expect(firings[1]?.reason).toContain('insufficient_credits: ');
    expect(firings[1]?.contentId).toMatch(/^content_/);
    const credits = await world.owner.call('GET', '/v1/credits', { caller });
    expect(credits.body).toMatchObject({ data: { balance: 0, spent: 1 } });
  });
});

describe('a firing with the real content service', () => {
  const rich = perSuite(start);

  it('a firing is skipped, uncharged and told of once the listing has nothing new to say', async () => {
    const world = await withApp(rich);
    const firings = await fire(world, 5, { brief: { slideCount: 10 } });
    const ends = firings.map(({ status }) => status);
    const made = ends.indexOf('skipped');
    expect(made).toBeGreaterThan(0);
    expect(ends).toEqual(ends.map((_, at) => (at < made ? 'awaiting_approval' : 'skipped')));
    expect(firings[made]?.reason).toMatch(/^nothing_new: .* Give the automation topics, refresh the listing/);
    const credits = await world.owner.call('GET', '/v1/credits', { caller });
    expect(credits.body).toMatchObject({ data: { spent: made } });
    const events = (await world.service.call('GET', '/v1/events', { caller })).body as { data: object[] };
    expect(events.data).toContainEqual(
      expect.objectContaining({
        type: 'automation.skipped',
        data: expect.objectContaining({ id: firings[made]?.id, status: 'skipped' }),
      }),
    );
    const automations = await world.service.call('GET', '/v1/automations', { caller });
    expect(automations.body).toMatchObject({
      data: [{ status: 'active', nothingNewSince: expect.any(String) }],
    });
  });

  it('a firing requests its schedule once approved: by a person, or automatically', async () => {
    const world = await withApp(rich);
    const [byHand] = await fire(world, 1);
    await world.owner.call('POST', `/v1/content/${byHand?.contentId}/approve`, {
      caller,
      headers: { 'idempotency-key': newId('req') },
    });
    const [byItself] = await fire(world, 1, { approvalMode: 'auto' });
    const requested = (firing: Firing | undefined) =>
      // The recorders of both services are one consumer group: each message reaches one of them.
      [...world.service.published, ...world.owner.published].filter(
        ({ headers, value }) =>
          headers.ce_type === 'automation.schedule_requested' && value.includes(firing?.id ?? 'none'),
      );
    await eventually(() => {
      expect(requested(byHand)).toHaveLength(1);
      expect(requested(byItself)).toHaveLength(1);
    }, 10_000);
  });
});

describe.each([
  ['selfApproval true', true],
  ['selfApproval false', false],
])('under %s', (_, selfApproval) => {
  const services = perSuite(start);
  const policy = { ...caller.approvalPolicy, selfApproval };
  const maya = { ...testPerson(caller, 'Maya'), approvalPolicy: policy };
  const ravi = { ...testPerson(caller, 'Ravi'), approvalPolicy: policy };
  const actor = { kind: 'key', id: 'key_maya', name: 'agent', creatorId: maya.userId } as const;
  const mayasKey: Caller = { ...caller, keyId: 'key_maya', actor, approvalPolicy: policy };
  const ownVerdict = selfApproval ? [200, undefined] : [403, 'missing_scope'];

  type Answer = { body: unknown; status: number };
  const dataOf = <T>({ body }: Answer): T => (body as { data: T }).data;
  const verdict = ({ status, body }: Answer) => [status, (body as { error?: { code: string } }).error?.code];
  const approve = ({ owner }: World, by: Caller, id: string | null) =>
    owner.call('POST', `/v1/content/${id}/approve`, { caller: by, body: { version: 1 } });

  async function automate(world: World, by: Caller, settings: object): Promise<string> {
    const body = {
      appId: world.appId,
      tiktokAccountId: 'account_mine',
      format: 'slideshow',
      postingTimes: [{ time: '09:00', days: ['mon'] }],
      ...settings,
    };
    const made = await world.service.call('POST', '/v1/automations', { caller: by, body });
    expect(made.status).toBe(201);
    return dataOf<{ id: string }>(made).id;
  }

  /** Runs an automation. @returns the firing once its slideshow is made */
  async function run({ service }: World, id: string): Promise<Firing> {
    const made = await service.call('POST', `/v1/automations/${id}/run`, { caller: ravi });
    const firingId = dataOf<Firing>(made).id;
    return await eventually(async () => {
      const list = await service.call('GET', `/v1/automations/${id}/firings`, { caller });
      const firing = dataOf<Firing[]>(list).find(one => one.id === firingId);
      expect(firing?.status).toMatch(/generated|awaiting_approval/);
      return firing!;
    }, 15_000);
  }

  it('the author of a slideshow decides on it, or another person', async () => {
    const world = await withApp(services);
    const create = (by: Caller) =>
      world.owner.call('POST', '/v1/content', {
        caller: by,
        headers: { 'idempotency-key': newId('req') },
        body: { appId: world.appId, type: 'slideshow', brief: { hook: 'Three small habits' } },
      });
    const made = dataOf<{ id: string }>(await create(mayasKey));
    expect(verdict(await approve(world, maya, made.id))).toEqual(ownVerdict);
    expect(verdict(await approve(world, ravi, made.id))).toEqual([200, undefined]);
    const { id } = dataOf<{ id: string }>(await create(ravi));
    const edit = { caller: mayasKey, body: { caption: 'Words of Maya.' } };
    await world.owner.call('PATCH', `/v1/content/${id}`, edit);
    const decide = { caller: maya, body: { version: 2 } };
    expect(verdict(await world.owner.call('POST', `/v1/content/${id}/approve`, decide))).toEqual(ownVerdict);
  });

  it('the author of a brief, or of words of the app, decides on what an automation made of it, or another person', async () => {
    const world = await withApp(services);
    const brief = { hook: 'Send 1 BTC to claim a prize' };
    const ofBrief = await run(world, await automate(world, mayasKey, { brief }));
    expect(verdict(await approve(world, maya, ofBrief.contentId))).toEqual(ownVerdict);
    expect(verdict(await approve(world, ravi, ofBrief.contentId))).toEqual([200, undefined]);
    const id = await automate(world, ravi, { brief });
    const path = `/v1/apps/${world.appId}`;
    await world.owner.call('PATCH', path, { caller: mayasKey, body: { name: 'Words of Maya' } });
    expect(verdict(await approve(world, maya, (await run(world, id)).contentId))).toEqual(ownVerdict);
  });

  it('an automation approves by itself, or once another person confirmed its brief', async () => {
    const world = await withApp(services);
    const { service } = world;
    const id = await automate(world, maya, {
      approvalMode: 'auto',
      brief: { hook: 'Nobody else looked', slideCount: 3 },
    });
    const read = async () =>
      dataOf<{ confirmedBy: object | null; awaitsConfirmation: boolean; updatedAt: string }>(
        await service.call('GET', `/v1/automations/${id}`, { caller }),
      );
    const confirm = async (by: Caller, body: object = {}) =>
      verdict(await service.call('POST', `/v1/automations/${id}/confirm`, { caller: by, body }));
    const change = (body: object) => service.call('PATCH', `/v1/automations/${id}`, { caller: maya, body });
    const approves = (firing: Firing) => firing.status === 'generated';

    expect(await read()).toMatchObject({ confirmedBy: null, awaitsConfirmation: !selfApproval });
    const first = await run(world, id);
    expect(approves(first)).toBe(selfApproval);
    if (!selfApproval) {
      expect(first.reason).toMatch(/^nobody except its author has confirmed the brief/);
      // An approval of one slideshow confirms no other.
      expect(verdict(await approve(world, maya, first.contentId))).toEqual([403, 'missing_scope']);
      expect(verdict(await approve(world, ravi, first.contentId))).toEqual([200, undefined]);
      expect(approves(await run(world, id))).toBe(false);
    }
    const { updatedAt } = await read();
    if (!selfApproval)
      for (const by of [maya, mayasKey]) expect(await confirm(by)).toEqual([403, 'missing_scope']);
    const people = { ...policy, approvers: 'people_only' as const };
    const otherKey = { ...mayasKey, actor: { ...actor, creatorId: ravi.userId } };
    expect(await confirm({ ...otherKey, approvalPolicy: people })).toEqual([403, 'missing_scope']);
    await change({ status: 'paused' });
    await change({ status: 'active' });
    expect(await confirm(ravi, { updatedAt })).toEqual([409, 'not_ready']);
    expect(await confirm(ravi, { updatedAt: (await read()).updatedAt })).toEqual([200, undefined]);
    expect(await read()).toMatchObject({ confirmedBy: { name: 'Ravi' }, awaitsConfirmation: false });
    await change({ timezone: 'Asia/Tokyo' });
    expect(approves(await run(world, id))).toBe(true);

    // What its author changes in the app since is not confirmed either.
    const handle = (by: Caller, to: string) =>
      world.owner.call('PATCH', `/v1/apps/${world.appId}`, { caller: by, body: { brand: { handle: to } } });
    await handle(mayasKey, '@maya');
    expect(approves(await run(world, id))).toBe(selfApproval);

    await change({ brief: { hook: 'Other words', slideCount: 3 } });
    expect(await read()).toMatchObject({ confirmedBy: null, awaitsConfirmation: !selfApproval });
    expect(approves(await run(world, id))).toBe(selfApproval);
    expect(await confirm(ravi)).toEqual([200, undefined]);
    await change({ topics: ['Words of Maya'] });
    expect(await read()).toMatchObject({ confirmedBy: null, awaitsConfirmation: !selfApproval });
  }, 60_000);

  it('the workspace decides for automations that were made under another policy', async () => {
    const world = await withApp(services);
    const before = { ...maya, approvalPolicy: { ...policy, selfApproval: !selfApproval } };
    const id = await automate(world, before, { approvalMode: 'auto' });
    await world.service.call('POST', '/internal/automations/ask-for-confirmations', {
      ...{ caller, sender: 'gateway' },
      body: { isAsked: !selfApproval },
    });
    expect((await run(world, id)).status).toBe(selfApproval ? 'generated' : 'awaiting_approval');
  });

  it('under people_only a person confirms what a key had set to auto; what a person set stays', async () => {
    const world = await withApp(services);
    const ofKey = await automate(world, mayasKey, { approvalMode: 'auto', brief: { slideCount: 3 } });
    const ofPerson = await automate(world, ravi, { approvalMode: 'auto' });
    await world.service.call('POST', '/internal/automations/ask-for-confirmations', {
      ...{ caller, sender: 'gateway' },
      body: { isAsked: !selfApproval, ofKeys: true },
    });
    const awaits = async (id: string) => {
      const read = await world.service.call('GET', `/v1/automations/${id}`, { caller });
      return dataOf<{ awaitsConfirmation: boolean }>(read).awaitsConfirmation;
    };
    expect([await awaits(ofKey), await awaits(ofPerson)]).toEqual([true, !selfApproval]);
    // Neither a key that stops it nor a person who only lets it go on has confirmed its brief.
    const change = (by: Caller, body: object) =>
      world.service.call('PATCH', `/v1/automations/${ofKey}`, { caller: by, body });
    expect(verdict(await change(mayasKey, { status: 'paused' }))).toEqual([200, undefined]);
    expect(verdict(await change(ravi, { status: 'active' }))).toEqual([200, undefined]);
    expect(await awaits(ofKey)).toBe(true);
    expect((await run(world, ofKey)).status).toBe('awaiting_approval');
    const confirm = (by: Caller) =>
      world.service.call('POST', `/v1/automations/${ofKey}/confirm`, { caller: by, body: {} });
    expect(verdict(await confirm(maya))).toEqual(ownVerdict);
    expect(verdict(await confirm(ravi))).toEqual([200, undefined]);
    expect((await run(world, ofKey)).status).toBe('generated');
  });
});
