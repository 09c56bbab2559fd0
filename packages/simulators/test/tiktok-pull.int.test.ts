import { createHash, createHmac } from 'node:crypto';
import { eventually } from '@hookline/testing/eventually';
import { jpeg } from '@hookline/testing/jpeg';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultClientSecret } from '../src/options.ts';
import {
  arrived,
  connect,
  control,
  initBody,
  type Json,
  listen,
  mediaServer,
  post,
  send,
  startSim,
  statusOf,
} from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ pullConnectAttempts: 1 }));
let token: string;

beforeEach(async () => {
  await control(sim, 'POST', 'reset');
  media.requests.length = 0;
  token = await connect(sim);
});

async function start(
  names: string[],
  change: Record<string, unknown> = {},
  postInfo: Record<string, unknown> = {},
) {
  const urls = names.map(name => (name.includes('://') ? name : `${media.url}/${name}`));
  const answer = await post(sim, 'content/init/', token, initBody(urls, change, postInfo));
  return answer.body.data.publish_id as string;
}

function ended(publishId: string, status: string): Promise<Json> {
  return eventually(async () => {
    const data = await statusOf(sim, token, publishId);
    expect(data?.status).toBe(status);
    return data;
  });
}

describe('photos that are pulled', () => {
  it('arrive as PUBLISH_COMPLETE with the digest of every image, in order', async () => {
    const publishId = await start(
      ['1080x1350-a.jpg', 'webp-b', '941x1672-c.jpg'],
      {},
      { privacy_level: 'SELF_ONLY' },
    );
    const data = await ended(publishId, 'PUBLISH_COMPLETE');
    expect(data.publicaly_available_post_id).toEqual([]);
    const [row] = await arrived(sim, 1);
    expect(row).toMatchObject({
      publishId,
      account: 'maya.makes',
      mode: 'DIRECT_POST',
      privacyLevel: 'SELF_ONLY',
    });
    expect(row.imageDigests).toHaveLength(3);
    const first = createHash('sha256')
      .update(jpeg(1080, 1350, '/1080x1350-a.jpg'))
      .digest('hex');
    expect(row.imageDigests[0]).toBe(first);
    expect(media.requests.map(request => request.url)).toEqual([
      '/1080x1350-a.jpg',
      '/webp-b',
      '/941x1672-c.jpg',
    ]);
  });
});

describe('photos that fail, after init said ok', () => {
  it.each([
    ['photo_pull_failed', 'gone.jpg'],
    ['photo_pull_failed', 'moved.jpg'],
    ['photo_pull_failed', 'http://127.0.0.1:9/closed.jpg'],
    ['file_format_check_failed', 'png'],
    ['file_format_check_failed', 'torn.jpg'],
    ['picture_size_check_failed', '1254x1254.jpg'],
    ['picture_size_check_failed', '1086x1448.jpg'],
    ['picture_size_check_failed', '1000x1921.jpg'],
    ['picture_size_check_failed', 'huge.jpg'],
  ])('%s for %s, naming no image', async (reason, name) => {
    const publishId = await start(['1080x1350-a.jpg', name]);
    const data = await ended(publishId, 'FAILED');
    expect(data.fail_reason).toBe(reason);
    expect(JSON.stringify(data)).not.toContain(name);
    expect((await control(sim, 'GET', 'posts')).body).toEqual([]);
    expect(media.requests.filter(request => request.url === '/1080x1350.jpg')).toEqual([]);
  });
});

describe('webhooks', () => {
  it('are signed over the attempt’s time and the raw body, retried until 200, and carry a bare post id', async () => {
    let refusals = 2;
    const hook = await listen((_request, reply) => {
      refusals -= 1;
      reply.writeHead(refusals >= 0 ? 500 : 200).end();
    });
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    const publishId = await start(['1080x1350-a.jpg'], {}, { privacy_level: 'PUBLIC_TO_EVERYONE' });
    const bodies = await eventually(() => {
      const events = hook.requests.map(request => JSON.parse(request.body).event);
      expect(events).toContain('post.publish.complete');
      expect(events.filter(event => event === 'post.publish.publicly_available').length).toBeGreaterThan(0);
      expect(events.length).toBeGreaterThanOrEqual(4);
      return hook.requests;
    });
    for (const { body, headers } of bodies) {
      const [, seconds, signature] =
        /^t=(\d+),s=([0-9a-f]{64})$/.exec(String(headers['tiktok-signature'])) ?? [];
      expect(createHmac('sha256', defaultClientSecret).update(`${seconds}.${body}`).digest('hex')).toBe(
        signature,
      );
    }
    const last = bodies
      .map(({ body }) => JSON.parse(body))
      .find(one => one.event === 'post.publish.publicly_available');
    expect(last.content).toMatch(/"post_id":\d{19}\b/);
    expect(JSON.parse(last.content)).toMatchObject({ publish_id: publishId, publish_type: 'DIRECT_POST' });
    await hook.close();
  });
});

describe('pages', () => {
  it('show the post with its slides, every text escaped', async () => {
    const title = '<script>alert(1)</script>';
    const publishId = await start(
      ['1080x1350-a.jpg', '1080x1350-b.jpg'],
      {},
      { title, description: '"><b>hi' },
    );
    await ended(publishId, 'PUBLISH_COMPLETE');
    const [row] = await arrived(sim, 1);
    const page = await send('GET', `${sim.url}/tiktok/@maya.makes/photo/${row.postId}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<script');
    expect(page.text).not.toContain('<b>hi');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const digest of row.imageDigests) {
      expect(page.text).toContain(`/tiktok/slides/${digest}`);
      const slide = await send('GET', `${sim.url}/tiktok/slides/${digest}`);
      expect([slide.status, slide.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
    const home = await send('GET', `${sim.url}/`);
    expect(home.text).toContain(`/tiktok/@maya.makes/photo/${row.postId}`);
  });

  it('soft-404 with HTTP 200 for a wrong post id, like tiktok.com', async () => {
    const page = await send('GET', `${sim.url}/tiktok/@maya.makes/photo/7000000000000000001`);
    expect([page.status, page.text.includes('not available')]).toEqual([200, true]);
  });
});
