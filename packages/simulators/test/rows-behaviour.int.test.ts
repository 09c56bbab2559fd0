/** The simulators' behaviour where a platform documents nothing, and their control routes. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { faultKinds } from '../src/faults/fault-kinds.ts';
import {
  arrived,
  connect,
  control,
  initBody,
  type Json,
  type Listener,
  listen,
  mediaServer,
  post,
  send,
  startSim,
} from './helpers.ts';

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
    expect((await init(draft())).status).toBe(200);
    const all = await arrived(sim, 6);
    await change({ openDraftsMax: 1 });
    expect((await init(draft())).status).toBe(403);
    expect((await control(sim, 'POST', `tiktok/drafts/${all.at(-1).publishId}/publish`)).status).toBe(303);
    expect((await init(draft())).status).toBe(200);
  });
});

describe('webhooks', () => {
  const events = (hook: Listener) => hook.requests.map(({ body }) => JSON.parse(body).event);

  it('carry the fields of the platform: key, event, seconds, open id, a string of JSON', async () => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    const publishId = (await init(draft())).body.data.publish_id;
    const body = await eventually(() => JSON.parse(hook.requests[0]!.body));
    const { openId } = (await control(sim, 'GET', 'tiktok/accounts/maya.makes')).body;
    expect(body).toEqual({
      client_key: 'simulator-client-key',
      event: 'post.publish.inbox_delivered',
      create_time: expect.any(Number),
      user_openid: openId,
      content: JSON.stringify({ publish_id: publishId, publish_type: 'INBOX_SHARE' }),
    });
    expect(body.create_time).toBeLessThan(1e10);
    await hook.close();
  });

  it('tell that a public post is gone, misspelt as on the wire', async () => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    await init(initBody([photo()], {}, { privacy_level: 'PUBLIC_TO_EVERYONE' }));
    await eventually(() => expect(events(hook)).toContain('post.publish.publicly_available'));
    const [row] = await arrived(sim, 1);
    await control(sim, 'POST', `tiktok/posts/${row.publishId}/take-down`);
    await eventually(() => expect(events(hook)).toContain('post.publish.no_longer_publicaly_available'));
    expect((await control(sim, 'POST', `tiktok/posts/${row.publishId}/take-down`)).status).toBe(404);
    await hook.close();
  });

  it.each([0, 5])('authorization.removed with reason %d', async reason => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    await control(sim, 'POST', 'tiktok/accounts/maya.makes/disconnect', { reason });
    const body = await eventually(() => JSON.parse(hook.requests[0]!.body));
    expect([body.event, body.content]).toEqual(['authorization.removed', JSON.stringify({ reason })]);
    expect((await init()).status).toBe(401);
    await hook.close();
  });

  it('can be lost, duplicated and late', async () => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    await setFaults({ operation: 'webhook', kind: 'duplicated', times: 1 });
    await init(draft());
    await eventually(() => expect(hook.requests).toHaveLength(2));
    expect(hook.requests[0]!.body).toBe(hook.requests[1]!.body);
    await setFaults({ operation: 'webhook', kind: 'lost', times: 1 });
    const lost = (await init(draft())).body.data.publish_id;
    await arrived(sim, 2);
    await setFaults({ operation: 'webhook', kind: 'late', times: 1, delayMs: 200 });
    const late = (await init(draft())).body.data.publish_id;
    await eventually(() => expect(hook.requests).toHaveLength(3));
    expect(hook.requests[2]!.body).toContain(late);
    expect(hook.requests.some(({ body }) => body.includes(lost))).toBe(false);
    await hook.close();
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

  it('hostile answers: no platform format, 8 MB, a redirect, a cut line', async () => {
    const ask = () => post(sim, 'creator_info/query/', token);
    await setFaults({ operation: 'creator_info', kind: 'garbage' });
    const garbage = await ask();
    expect([garbage.status, garbage.body]).toEqual([200, null]);
    await setFaults({ operation: 'creator_info', kind: 'oversize' });
    expect((await ask()).text.length).toBe(8_000_000);
    await setFaults({ operation: 'creator_info', kind: 'redirect' });
    expect((await ask()).status).toBe(302);
    await setFaults({ operation: 'creator_info', kind: 'connection_dropped' });
    await expect(ask()).rejects.toThrow();
  });

  it('access_token_invalid strikes a token that is still good', async () => {
    await setFaults({ operation: 'content_init', kind: 'access_token_invalid', times: 1 });
    expect((await init()).status).toBe(401);
    expect((await init()).status).toBe(200);
  });
});

describe('_control', () => {
  it('posts: what arrived, oldest first, of one account or of all', async () => {
    await init();
    await arrived(sim, 1);
    const nord = await connect(sim, 'studio.nord');
    await post(sim, 'content/init/', nord, draft());
    const all = await arrived(sim, 2);
    expect(all.map((row: Json) => row.account)).toEqual(['maya.makes', 'studio.nord']);
    expect(all[0]).toMatchObject({
      postId: expect.stringMatching(/^\d{19}$/),
      publishId: expect.stringMatching(/^p_pub_url/),
      mode: 'DIRECT_POST',
      privacyLevel: 'SELF_ONLY',
      title: 'Five habits',
      description: 'text #habits',
      imageDigests: [expect.stringMatching(/^[0-9a-f]{64}$/)],
      at: expect.stringMatching(/Z$/),
    });
    expect((await control(sim, 'GET', 'posts?account=studio.nord')).body).toHaveLength(1);
    expect((await control(sim, 'GET', 'posts?account=nobody')).body).toEqual([]);
  });

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

  it('listings and numbers are served as put; reset forgets all of it', async () => {
    const listing = { name: 'Mine', description: 'D', developer: 'Me', category: 'Tools' };
    await control(sim, 'PUT', 'apps/appstore/4242', listing);
    await control(sim, 'PUT', 'videos/youtube/abc', { views: 5, likes: null, comments: 0 });
    const found = () => send('GET', `${sim.url}/appstore/lookup?id=4242`);
    expect((await found()).body.results[0].trackName).toBe('Mine');
    expect((await control(sim, 'PUT', 'apps/appstore/abc', listing)).status).toBe(400);
    expect((await control(sim, 'PUT', 'apps/elsewhere/1', listing)).status).toBe(404);
    await control(sim, 'POST', 'reset');
    expect((await found()).body.resultCount).toBe(0);
    expect((await control(sim, 'GET', 'posts')).body).toEqual([]);
    expect((await control(sim, 'GET', 'faults')).body).toEqual([]);
    expect((await control(sim, 'GET', 'requests?prefix=/tiktok')).body).toEqual([]);
    expect((await init()).status).toBe(401);
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
