import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { testS3Url } from '@hookline/infra/test-infra';
import { ConfigurationError } from '@hookline/shared/kernel';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTcpProxy } from '../../../tests/lab/kit/faults/tcp-proxy.ts';
import { createFileImageStore, type ImageStore, ImageStoreError } from '../src/storage/image-store.ts';
import { createS3ImageStore } from '../src/storage/image-store-s3.ts';
import { createBucket, s3SettingsOf } from './s3.ts';

const s3Url = await testS3Url();
const dataDir = mkdtempSync(join(tmpdir(), 'hookline-images-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** `count` returns the number of images in it. */
function itStoresImages(open: () => Promise<{ store: ImageStore; count: () => Promise<number> }>): void {
  let store: ImageStore;
  let count: () => Promise<number>;
  beforeAll(async () => {
    ({ store, count } = await open());
  });
  afterAll(() => store.close());

  it('the store returns what was put: whole, as a stream and in part', async () => {
    const bytes = randomBytes(300_000);
    const digest = digestOf(bytes);
    await store.put(digest, bytes);
    expect(bytes.equals((await store.read(digest))!)).toBe(true);
    expect(bytes.equals(await buffer((await store.stream(digest))!))).toBe(true);
    const part = await buffer((await store.stream(digest, { first: 100, last: 199 }))!);
    expect(part.equals(bytes.subarray(100, 200))).toBe(true);
  });

  it('the store keeps the same bytes once, even when they are put ten times at once', async () => {
    const bytes = randomBytes(50_000);
    const before = await count();
    await Promise.all(Array.from({ length: 10 }, () => store.put(digestOf(bytes), bytes)));
    await store.put(digestOf(bytes), bytes);
    expect((await count()) - before).toBe(1);
    expect(bytes.equals((await store.read(digestOf(bytes)))!)).toBe(true);
  });

  it('null for an image that is not stored', async () => {
    const missing = digestOf(randomBytes(8));
    expect(await store.read(missing)).toBeNull();
    expect(await store.stream(missing)).toBeNull();
  });

  it('the store refuses a key that is no digest', async () => {
    await expect(store.put('../../x', Buffer.from('x'))).rejects.toThrow('not a digest');
    await expect(store.read('image_01')).rejects.toThrow('not a digest');
  });

  it('put and read stop when they are aborted', async () => {
    const bytes = randomBytes(1_000);
    const put = store.put(digestOf(bytes), bytes, AbortSignal.abort());
    await expect(put).rejects.toBeInstanceOf(ImageStoreError);
    expect(await store.read(digestOf(bytes))).toBeNull();
  });
}

describe('the image folder', () => {
  itStoresImages(async () => ({
    store: createFileImageStore(dataDir),
    count: async () =>
      readdirSync(join(dataDir, 'images'), { recursive: true, withFileTypes: true }).filter(entry =>
        entry.isFile(),
      ).length,
  }));

  it('an aborted put leaves no half-written file behind', () => {
    const files = readdirSync(join(dataDir, 'images'), { recursive: true }).map(String);
    expect(files.filter(file => file.includes('.'))).toEqual([]);
  });
});

describe.skipIf(s3Url === null)('the S3 store', () => {
  const settings = s3SettingsOf(s3Url ?? 'http://a:b@127.0.0.1:1', 'slides-store');
  const bucket = perSuite(() => createBucket(settings));
  const proxy = perSuite(() => startTcpProxy(settings.endpoint));
  const behind = perSuite(() =>
    createS3ImageStore({ ...settings, endpoint: `http://127.0.0.1:${proxy.port}` }),
  );

  itStoresImages(async () => ({
    store: await createS3ImageStore(settings),
    count: () => bucket.countObjects(),
  }));

  it.each([
    [
      'a bucket that is not there',
      { bucket: 'nobody-made-this' },
      /^S3_BUCKET nobody-made-this does not exist/,
    ],
    [
      'a wrong secret',
      { secretAccessKey: 'wrong' },
      /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused/,
    ],
    ['an unknown access key', { accessKeyId: 'nobody' }, /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/],
  ])('refuses %s at the check, and at every put', async (_name, change, sentence) => {
    const store = await createS3ImageStore({ ...settings, ...change });
    const refused = store.check();
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(sentence);
    const bytes = randomBytes(100);
    const put = store.put(digestOf(bytes), bytes).catch(error => error);
    expect(await put).toBeInstanceOf(ImageStoreError);
    // An S3 server's refusal quotes the signed request; our error contains the reason only.
    const told = `${(await put).message} ${JSON.stringify(await put)} ${(await put).cause}`;
    expect(told).not.toContain(settings.accessKeyId);
    expect(told).not.toContain('AWS4');
    store.close();
  });

  it('images that are read slowly take no connection from others', async () => {
    const store = await createS3ImageStore(settings);
    const large = randomBytes(9_000_000);
    await store.put(digestOf(large), large);
    const unread = await Promise.all(Array.from({ length: 24 }, () => store.stream(digestOf(large))));
    const bytes = randomBytes(300_000);
    await store.put(digestOf(bytes), bytes, AbortSignal.timeout(2_500));
    expect(bytes.equals((await store.read(digestOf(bytes)))!)).toBe(true);
    for (const stream of unread) stream?.destroy();
    store.close();
  });

  it('S3 is tried again over a cut connection, and fails with a reason while it stays cut', async () => {
    const bytes = randomBytes(400_000);
    proxy.cut();
    const lost = await behind.put(digestOf(bytes), bytes).catch(error => error);
    expect(lost).toBeInstanceOf(ImageStoreError);
    expect(lost.message).toMatch(/ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|TimeoutError/);
    proxy.mend();
    await behind.put(digestOf(bytes), bytes);
    expect(bytes.equals((await behind.read(digestOf(bytes)))!)).toBe(true);
  });

  it('a silent S3 store is given up within the 5 s of an operation', async () => {
    const bytes = randomBytes(400_000);
    const held = proxy.disturbed;
    proxy.freeze();
    const startedMs = performance.now();
    const [silent, read] = await Promise.all([
      behind.put(digestOf(bytes), bytes).catch(error => error),
      behind.read(digestOf(bytes)).catch(error => error),
    ]);
    expect(performance.now() - startedMs).toBeLessThan(7_000);
    proxy.mend();
    expect(silent).toBeInstanceOf(ImageStoreError);
    expect(read).toBeInstanceOf(ImageStoreError);
    expect(proxy.disturbed).toBeGreaterThan(held);
  });
});
