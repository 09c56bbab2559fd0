/** The simulators' behaviour where a platform documents nothing, and their control routes. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { faultKinds } from '../src/faults/fault-kinds.ts';
import { arrived, connect, control, initBody, type Json, mediaServer, post, startSim } from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ now: () => Date.now() + now }));
let token: string;
let now = 0;

beforeEach(async () => {
  now = 0;
  await control(sim, 'POST', 'reset');
  await change({ initPerMinuteMax: 1_000 });
  token = await connect(sim);
});

const change = (body: Record<string, unknown>) => control(sim, 'PUT', 'tiktok/accounts/maya.makes', body);
const photo = () => `${media.url}/1080x1350-a.jpg`;
const init = (body: unknown = initBody([photo()])) => post(sim, 'content/init/', token, body);
const draft = () => initBody([photo()], { post_mode: 'MEDIA_UPLOAD' });
const setFaults = (...faults: Record<string, unknown>[]) =>
  control(
    sim,
    'PUT',
    'faults',
    faults.map(fault => ({ platform: 'tiktok', share: 1, ...fault })),
  );

describe('open drafts', () => {
  it('count for 24 hours, and a published one no longer', async () => {
    for (let count = 0; count < 5; count += 1) expect((await init(draft())).status).toBe(200);
    expect((await init(draft())).body.error.code).toBe('spam_risk_too_many_pending_share');
    now = 86_400_001;
    token = await connect(sim);
    const last = await init(draft());
    expect(last.status).toBe(200);
    await arrived(sim, 6);
    await change({ openDraftsMax: 1 });
    expect((await init(draft())).status).toBe(403);
    expect((await control(sim, 'POST', `tiktok/drafts/${last.body.data.publish_id}/publish`)).status).toBe(
      303,
    );
    expect((await init(draft())).status).toBe(200);
  });
});

describe('faults', () => {
  it('of every kind can be set, and each says what it does', async () => {
    const list: Json[] = (await control(sim, 'GET', 'fault-kinds')).body;
    expect(list).toEqual(faultKinds);
    for (const { platform, operation, kind, description } of list) {
      expect(description).toMatch(/\w/);
      const put = await control(sim, 'PUT', 'faults', [{ platform, operation, kind, share: 0.5 }]);
      expect([kind, put.status]).toEqual([kind, 200]);
    }
  });

  it('take the chaos mix of the README', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const mix = /\[\{"platform"[\s\S]+?\}\]/.exec(readme)?.[0] ?? '';
    expect((await control(sim, 'PUT', 'faults', JSON.parse(mix))).body).toHaveLength(4);
  });
});

describe('_control', () => {
  it('requests: each one with its answer, without queries or tokens; a cut one has no status', async () => {
    await setFaults({ operation: 'content_init', kind: 'connection_dropped', times: 1 });
    await expect(init()).rejects.toThrow();
    await init();
    const rows: Json[] = (await control(sim, 'GET', 'requests?prefix=/tiktok/v2/')).body;
    const inits = rows.filter(row => row.path === '/tiktok/v2/post/publish/content/init/');
    expect(inits.map(row => [row.method, row.status])).toEqual([
      ['POST', null],
      ['POST', 200],
    ]);
    expect(rows.map(row => row.path)).toContain('/tiktok/v2/auth/authorize/');
    expect(JSON.stringify(rows)).not.toMatch(/act\.|rft\.|code=|client_key/);
    expect((await control(sim, 'GET', 'requests?limit=1')).body).toHaveLength(1);
  });

  it('accounts: counters, a new creator by PUT, 404 for an unknown one, 400 for a wrong name or value', async () => {
    await init(draft());
    await arrived(sim, 1);
    const { body } = await control(sim, 'GET', 'tiktok/accounts/maya.makes');
    expect(body.counters).toEqual({ accepted: 1, arrived: 1, failed: 0, openDrafts: 1, directPostsToday: 0 });
    expect((await control(sim, 'GET', 'tiktok/accounts/newcomer')).status).toBe(404);
    expect((await control(sim, 'PUT', 'tiktok/accounts/newcomer', { canPost: false })).body).toMatchObject({
      username: 'newcomer',
      canPost: false,
      banned: false,
    });
    expect((await control(sim, 'PUT', 'tiktok/accounts/x!', {})).status).toBe(400);
    expect((await change({ privacyLevels: [] })).status).toBe(400);
    expect((await control(sim, 'GET', 'tiktok/accounts')).body).toHaveLength(4);
  });
});

describe('the package', () => {
  it('has a README whose shell block is a working client', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const block = /```sh\n([\s\S]+?)```/.exec(readme)?.[1] ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-euc', block], {
      env: { PATH: process.env.PATH, SIM: sim.url, PHOTO: photo() },
      timeout: 20_000,
    });
    expect(stdout).toContain('"creator_username":"maya.makes"');
    expect(stdout).toContain('SEND_TO_USER_INBOX');
    expect((await arrived(sim, 1))[0]).toMatchObject({ title: 'Hello', mode: 'MEDIA_UPLOAD' });
  }, 30_000);

  it('imports nothing from the product', () => {
    const folder = join(import.meta.dirname, '../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(30);
    for (const name of files) {
      const text = readFileSync(join(folder, name), 'utf8');
      const imported = [...text.matchAll(/from '([^']+)'/g)].map(match => match[1] ?? '');
      expect(imported.filter(path => /hookline|services|\.\.\/\.\.\/\.\./.test(path))).toEqual([]);
    }
  });
});
