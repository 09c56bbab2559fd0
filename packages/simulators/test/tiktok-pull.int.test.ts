import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  arrived,
  connect,
  control,
  initBody,
  type Json,
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
});
