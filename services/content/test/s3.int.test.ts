/** The content service with a real S3 server: links, the posting path, edits, and failures of the server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testS3Url } from '@hookline/infra/test-infra';
import type { Content } from '@hookline/shared/contracts/content';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTcpProxy } from '../../../tests/lab/kit/faults/tcp-proxy.ts';
import { createBucket, s3Environment, s3SettingsOf } from './s3.ts';
import { codeOf, dataOf, startContent } from './world.ts';

const s3Url = await testS3Url();
const settings = s3SettingsOf(s3Url ?? 'http://a:b@127.0.0.1:1', 'slides-service');
const environment = s3Environment(settings);

describe.skipIf(s3Url === null)('with an S3 store', () => {
  const bucket = perSuite(() => createBucket(settings));
  const proxy = perSuite(() => startTcpProxy(settings.endpoint));
  const under = perSuite(() =>
    startContent({
      env: { ...environment, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` },
    }),
  );
  const caller = testCaller();
  const quoteCard = { templateId: 'quote-card' };

  /** The link as the gateway forwards it. */
  const get = (url: string, headers: Record<string, string> = {}) =>
    under.service.call('GET', url.slice(new URL(url).origin.length), { headers });

  it('S3 has each slide and DATA_DIR none; an edit stores the changed slide only', async () => {
    const appId = await under.importApp(caller);
    await eventually(async () => expect(await bucket.countObjects(), "the app's icon").toBe(1));
    const stored = () => bucket.countObjects().then(count => count - 1);
    const deck = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief: quoteCard }));
    expect(await stored()).toBe(deck.images.length);
    expect(existsSync(join(under.dataDir, 'images'))).toBe(false);
    const body = { hook: `${deck.result!.hook}!` };
    const edited = await under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body });
    expect(edited.status).toBe(200);
    expect(await stored()).toBe(deck.images.length + 1);
  });

  it('a slide in S3 is served by a valid link alone: whole, in part, or 304', async () => {
    const [image] = (await under.readyDeck(caller)).images;
    const url = image!.url;
    const whole = await fetch(under.service.url + url.slice(new URL(url).origin.length));
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('image/jpeg');
    expect(whole.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    expect([bytes.length, bytes.subarray(0, 3).toString('hex')]).toEqual([image!.bytes, 'ffd8ff']);

    const part = await fetch(whole.url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${image!.bytes}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);

    const etag = whole.headers.get('etag')!;
    const head = await fetch(whole.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(image!.bytes),
      etag,
    ]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(url, { range: 'bytes=0-0', 'if-range': '"another"' })).status).toBe(200);
    const outside = await get(url, { range: `bytes=${image!.bytes}-` });
    expect([outside.status, codeOf(outside)]).toEqual([416, 'invalid_request']);
    expect(outside.headers.get('content-range')).toBe(`bytes */${image!.bytes}`);
    const forged = url.replace(/s=(.)/, (_, first) => `s=${first === 'A' ? 'B' : 'A'}`);
    expect((await get(forged)).status).toBe(404);
  });

  it('scheduling gets the bytes that it posts from S3', async () => {
    const [image] = (await under.readyDeck(caller)).images;
    const id = /(image_\w+)/.exec(image!.url)![1];
    const answer = await under.service.call('GET', `/internal/images/${id}`, { sender: 'scheduling' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(image!.bytes)]);
  });

  describe('while the store is out of reach', () => {
    let deck: Content;
    beforeAll(async () => {
      deck = await under.readyDeck(caller);
    });

    const whileAway = async <T>(state: 'cut' | 'freeze', work: () => Promise<T>): Promise<T> => {
      proxy[state]();
      try {
        return await work();
      } finally {
        proxy.mend();
      }
    };

    it.each(['cut', 'freeze'] as const)('%s: 201 failed with the reason, nothing charged', async state => {
      const appId = await under.importApp(caller);
      const before = dataOf(await under.service.call('GET', '/v1/credits', { caller }));
      const answer = await whileAway(state, () =>
        under.create(caller, { appId, type: 'slideshow', brief: quoteCard }),
      );
      const failed = dataOf<Content>(answer);
      expect([answer.status, failed.status, failed.error?.code]).toEqual([
        201,
        'failed',
        'image_store_unavailable',
      ]);
      expect(failed.images).toEqual([]);
      const after = dataOf<{ balance: number }>(await under.service.call('GET', '/v1/credits', { caller }));
      expect(after.balance).toBe((before as { balance: number }).balance);
      const rows = await under.service.db.query('select 1 from slide_images where content_id = $1', [
        failed.id,
      ]);
      expect(rows).toEqual([]);
    });

    it('503 for an edit, which changes nothing, and for a link, while S3 is out of reach', async () => {
      const body = { hook: 'Another hook that nobody has drawn yet' };
      const edit = await whileAway('cut', () =>
        under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body }),
      );
      expect([edit.status, codeOf(edit)]).toEqual([503, 'service_unavailable']);
      expect(edit.headers.get('retry-after')).not.toBeNull();
      const kept = await under.service.call('GET', `/v1/content/${deck.id}`, { caller });
      expect(dataOf<Content>(kept)).toMatchObject({ version: deck.version, result: deck.result });
      const link = await whileAway('cut', () => get(deck.images[0]!.url));
      expect([link.status, codeOf(link)]).toEqual([503, 'service_unavailable']);
      expect(link.headers.get('cache-control') ?? '').not.toContain('immutable');
      expect((await get(deck.images[0]!.url)).status).toBe(200);
    });

    it('a connection cut in the middle of a deck leaves no half deck', async () => {
      const appId = await under.importApp(caller);
      const brief = { ...quoteCard, slideCount: 10 };
      const before = await bucket.countObjects();
      const creating = under.create(caller, { appId, type: 'slideshow', brief });
      let stored = 0;
      while (stored === 0) stored = (await bucket.countObjects()) - before;
      proxy.cut();
      const answer = await creating.finally(() => proxy.mend());
      const content = dataOf<Content>(answer);
      // Either everything was stored before the cut, or the content failed and names no image.
      expect([content.status, content.images.length]).toEqual(
        content.status === 'ready' ? ['ready', 10] : ['failed', 0],
      );
    });
  });
});

describe('settings of the S3 store', () => {
  const start = async (env: Record<string, string | undefined>) => {
    const started = await startContent({ env }).catch((error: Error) => error);
    if (started instanceof Error) return started.message;
    await started.stop();
    return 'started';
  };

  it.each([
    [['S3_BUCKET'], 'S3_BUCKET must be set: slide images go to an S3 store when one of S3_* is set.'],
    [
      ['S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY'],
      'S3_ENDPOINT, S3_SECRET_ACCESS_KEY must be set: slide images go to an S3 store when one of S3_* is set.',
    ],
  ])('refuses to start without %j', async (missing, sentence) => {
    const env = Object.fromEntries(missing.map(name => [name, undefined]));
    expect(await start({ ...environment, ...env })).toBe(sentence);
  });

  it.skipIf(s3Url === null)('the service refuses to start with a bucket that does not exist', async () => {
    expect(await start({ ...environment, S3_BUCKET: 'nobody-made-this' })).toBe(
      'S3_BUCKET nobody-made-this does not exist at S3_ENDPOINT.',
    );
  });

  it('the service starts while S3 is down', async () => {
    expect(await start({ ...environment, S3_ENDPOINT: 'http://127.0.0.1:9' })).toBe('started');
  });
});
