/**
 * A firing with the real content service: the end of the saga when nothing can be generated, and when it can.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { content } from '@hookline/content';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterEach, describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const caller = testCaller();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type World = { owner: TestService; service: TestService; appId: string };

async function start(env: Record<string, string>): Promise<World> {
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
  closing.push(
    () => service.stop(),
    () => owner.stop(),
    () => stores.close(),
    () => peers.stop(),
    () => database.drop(),
    async () => rmSync(dataDir, { recursive: true, force: true }),
  );
  peers.addAccount(caller.accountId, 'account_mine');
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

describe('a firing with the real content service', () => {
  it('fails with insufficient_credits when no credit is left, and charges nothing for it', async () => {
    const world = await start({ SIGNUP_CREDITS: '1' });
    const firings = await fire(world, 2);
    expect(firings.map(({ status }) => status)).toEqual(['awaiting_approval', 'failed']);
    expect(firings[1]?.reason).toContain('insufficient_credits: ');
    expect(firings[1]?.contentId).toMatch(/^content_/);
    const credits = await world.owner.call('GET', '/v1/credits', { caller });
    expect(credits.body).toMatchObject({ data: { balance: 0, spent: 1 } });
  });

  it("fails with rate_limited at the day's ceiling", async () => {
    const world = await start({ DAILY_GENERATIONS: '1' });
    const firings = await fire(world, 2);
    expect(firings.map(({ status }) => status)).toEqual(['awaiting_approval', 'failed']);
    expect(firings[1]?.reason).toContain('rate_limited: ');
  });

  it('requests its schedule once approved: by a person, or automatically', async () => {
    const world = await start({});
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
