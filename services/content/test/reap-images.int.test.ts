/** Slide images that no content needs are deleted; images that are or will be needed are kept. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { testS3Url } from '@hookline/infra/test-infra';
import type { Content } from '@hookline/shared/contracts/content';
import { createLogger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { openDatabase } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThumbnailTurns } from '../src/deps.ts';
import { findImage, listImages } from '../src/images/queries.ts';
import { recordFiles } from '../src/images/queries-files.ts';
import { reapImages } from '../src/images/reap.ts';
import { recordBeforeStoring } from '../src/images/record-files.ts';
import { readThumbnail } from '../src/images/thumbnail.ts';
import { insertPicture } from '../src/pictures/queries.ts';
import { storePicture } from '../src/pictures/store.ts';
import { createFileImageStore, type ImageStore, ImageStoreError } from '../src/storage/image-store.ts';
import { createS3ImageStore } from '../src/storage/image-store-s3.ts';
import { createBucket, s3Environment, s3SettingsOf } from './s3.ts';
import { type ContentUnderTest, dataOf, startContent } from './world.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const caller = testCaller();
const s3Url = await testS3Url();
const s3 = s3SettingsOf(s3Url ?? 'http://a:b@127.0.0.1:1', 'slides-reaped');

type Opened = { env: Record<string, string>; open(under: ContentUnderTest): Promise<ImageStore> };

function itReaps({ env, open }: Opened): void {
  const under = perSuite(() => startContent({ env }));
  let images: ImageStore;
  let decks = 0;

  beforeAll(async () => {
    images = await open(under);
  });
  afterAll(async () => {
    images?.close();
  });

  /** Runs the worker's action as on that day, until nothing more is due. */
  async function reapAfter(days: number, store = images): Promise<void> {
    const at = new Date(Date.now() + days * dayMs);
    const deps = { db: under.service.db, log, now: () => at, images: store, eventRetentionDays: 30 };
    while (await reapImages(deps));
  }

  /** As 5 s later: the store carries out no abandoned deletion any more. */
  const passLeases = () =>
    under.service.db.query(
      'update slide_files set delete_lease_until = now() where delete_holder is not null',
    );

  async function filesOf({ id }: Content, version: number): Promise<string[]> {
    const rows = await under.service.db.query<{ digest: string }>(
      `select encode(digest, 'hex') as digest from slide_images where content_id = $1 and version = $2
       order by slide_index`,
      [id, version],
    );
    return rows.map(row => row.digest);
  }

  const areThere = (digests: string[]) =>
    Promise.all(digests.map(async digest => (await images.read(digest)) !== null));

  async function smallDeck(): Promise<Content> {
    const appId = await under.importApp(caller);
    // Two apps may look alike: with the same hook their decks would share a slide.
    decks += 1;
    const hook = `A hook${' again'.repeat(decks)}`;
    // Without a closing slide, which changes when the icon of the app arrives.
    const brief = { templateId: 'quote-card', slideCount: 2, ctaMode: 'none', hook };
    return dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
  }

  async function edit(deck: Content, hook: string): Promise<Content> {
    const answer = await under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body: { hook } });
    return dataOf<Content>(answer);
  }

  it('the reaper deletes a replaced slide after the events that link to it, and keeps shared ones', async () => {
    const deck = await smallDeck();
    const edited = await edit(deck, 'Another hook');
    const [first, ...rest] = await filesOf(deck, 1);
    expect((await filesOf(edited, 2)).slice(1)).toEqual(rest);
    await reapAfter(31);
    expect(await areThere([first!, ...rest])).toEqual([true, ...rest.map(() => true)]);
    await reapAfter(40);
    expect(await areThere([first!, ...rest])).toEqual([false, ...rest.map(() => true)]);
    expect(await areThere(await filesOf(edited, 2))).not.toContain(false);

    // The old hook again: drawn and stored again, and its link works.
    const back = await edit(deck, deck.result!.hook);
    expect((await filesOf(back, 3))[0]).toBe(first);
    const link = back.images[0]!.url;
    const answer = await under.service.call('GET', link.slice(new URL(link).origin.length));
    expect(answer.status).toBe(200);
  });

  it('a thumbnail is made by its first request, kept with its image, and deleted after it', async () => {
    const deck = await smallDeck();
    const edited = await edit(deck, 'A hook with a small picture');
    const follow = (url: string, headers = {}) =>
      under.service.call('GET', url.slice(new URL(url).origin.length), { headers });
    const files = async () =>
      under.service.db.query<{ digest: string; of: string }>(
        `select encode(digest, 'hex') as digest, encode(thumbnail_of, 'hex') as of from slide_files
         where thumbnail_of = any(select digest from slide_images where content_id = $1)`,
        [deck.id],
      );
    expect(await files()).toEqual([]);
    const [old, current] = [String(deck.images[0]?.thumbnailUrl), String(edited.images[0]?.thumbnailUrl)];
    const answers = await Promise.all([follow(old), follow(old), follow(current)]);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(40_000);
    }
    const [first, , second] = answers;
    const again = await follow(old, { 'if-none-match': String(first?.headers.get('etag')) });
    expect(again.status).toBe(304);
    expect(first?.headers.get('etag')).not.toBe(second?.headers.get('etag'));
    expect((await follow(old.replace('w=270', 'w=2700'))).status).toBe(400);
    const made = await files();
    expect(made).toHaveLength(2);
    const [oldSlide] = await filesOf(deck, 1);
    const ofOld = made.find(({ of }) => of === oldSlide)!.digest;
    const ofCurrent = made.find(({ of }) => of !== oldSlide)!.digest;
    await reapAfter(31);
    expect(await areThere([ofOld, ofCurrent])).toEqual([true, true]);
    // The slide first, its thumbnail at the next poll.
    await reapAfter(40);
    await reapAfter(50);
    expect(await areThere([oldSlide!, ofOld, ofCurrent])).toEqual([false, false, true]);
    expect((await follow(old)).status).toBe(404);
  });

  it('the thumbnail of another account is next behind 16 of one', async () => {
    const { db } = under.service;
    const imageOf = async ({ accountId }: typeof caller) => {
      const deck = await under.readyDeck({ ...caller, accountId });
      const [image] = await listImages(db, deck.id, 1);
      return (await findImage(db, image!.id))!;
    };
    const one = await imageOf(caller);
    const other = await imageOf(testCaller());
    let reads = 0;
    const read: ImageStore['read'] = async (digest, signal) => {
      const bytes = await images.read(digest, signal);
      reads += 1;
      return bytes;
    };
    const thumbnailTurns = createThumbnailTurns();
    const counted = { ...images, read, put: images.put.bind(images) };
    const deps = { db, images: counted, now: () => new Date(), thumbnailTurns };
    const held = { workspace: caller.accountId };
    await thumbnailTurns.enter(held);
    const served: string[] = [];
    const follow = async (image: typeof one) => {
      await readThumbnail(deps, image);
      served.push(image.id);
    };
    const all = Array.from({ length: 16 }, () => follow(one));
    await eventually(() => expect(reads).toBe(16));
    all.push(follow(other));
    await eventually(() => expect(reads).toBe(17));
    thumbnailTurns.leave(held);
    await Promise.all(all);
    expect(served[0]).toBe(other.id);
    expect(served).toHaveLength(17);
  });

  it('the reaper deletes the slides of a dry run, but not within their hour', async () => {
    const deck = await smallDeck();
    const path = `/v1/content/${deck.id}?dryRun=true`;
    const answer = await under.service.call('PATCH', path, { caller, body: { hook: 'Only to look at' } });
    const link = dataOf<Content>(answer).images[0]!.url;
    const [digest] = /[0-9a-f]{64}/.exec(link)!;
    await reapAfter(0.5 / 24);
    expect(await areThere([digest])).toEqual([true]);
    await reapAfter(2 / 24);
    expect(await areThere([digest, ...(await filesOf(deck, 1))])).toEqual([false, true, true]);
  });

  it('the reaper keeps a version that a schedule was permitted to send', async () => {
    const deck = await smallDeck();
    await under.service.db.query(
      `insert into send_permits (schedule_id, content_id, version, after_sequence, granted_at, released_at, outcome)
       values ($1, $2, 1, 1, now(), now(), 'failed')`,
      [`schedule_${deck.id}`, deck.id],
    );
    await edit(deck, 'A hook for after the failure');
    await reapAfter(60);
    expect(await areThere(await filesOf(deck, 1))).not.toContain(false);
  });

  it('the reaper deletes the files of a failed generation after 24 hours', async () => {
    const bytes = Buffer.from(`left behind ${caller.accountId}`);
    const digest = createHash('sha256').update(bytes).digest();
    await recordFiles(under.service.db, { digests: [digest], checkAt: new Date(Date.now() + dayMs) });
    await images.put(digest.toString('hex'), bytes);
    await reapAfter(0.9);
    expect(await areThere([digest.toString('hex')])).toEqual([true]);
    await reapAfter(1.1);
    expect(await areThere([digest.toString('hex')])).toEqual([false]);
  });

  // The reaper's leases are rows of Postgres, whichever store the files are in.
  if ('S3_ENDPOINT' in env) return;

  it('a store that hangs while deleting holds no connection and no lock', async () => {
    const url = under.service.database.roleUrl('content');
    const db = openDatabase({ url, connectionsMax: 1, name: 'reaper', log });
    const bytes = Buffer.from(`behind a store that hangs ${caller.accountId}`);
    const digest = createHash('sha256').update(bytes).digest();
    await recordFiles(db, { digests: [digest], checkAt: new Date() });
    await images.put(digest.toString('hex'), bytes);
    const deleting = Promise.withResolvers<void>();
    const hanging: ImageStore = {
      ...images,
      delete(_, signal) {
        deleting.resolve();
        return new Promise((_, reject) => {
          const abandon = () => reject(new ImageStoreError('no answer', { mayStillHappen: true }));
          signal?.addEventListener('abort', abandon, { once: true });
        });
      },
    };
    const deps = { db, log, now: () => new Date(), images: hanging, eventRetentionDays: 30 };
    const reaping = reapImages(deps);
    try {
      await deleting.promise;
      const since = performance.now();
      const open = await db.query(
        `select 1 from pg_stat_activity where application_name = 'reaper' and state like 'idle in transaction%'`,
      );
      const locked = await under.service.db.query<{ digest: Buffer }>(
        'select digest from slide_files where digest = $1 for update nowait',
        [digest],
      );
      expect([open.length, locked.length]).toEqual([0, 1]);
      expect(performance.now() - since).toBeLessThan(1_000);
    } finally {
      await reaping;
      await db.close();
    }
    await passLeases();
    await reapAfter(0.1);
    expect(await areThere([digest.toString('hex')])).toEqual([false]);
  });

  /** A file that is due, and a process that is about to store it again. */
  async function dueFile(text: string) {
    const bytes = Buffer.from(`${text} ${caller.accountId}`);
    const digest = createHash('sha256').update(bytes).digest();
    const name = digest.toString('hex');
    const deps = { db: under.service.db, images };
    await recordFiles(deps.db, { digests: [digest], checkAt: new Date() });
    await images.put(name, bytes);
    return {
      name,
      async storeAgain() {
        await recordBeforeStoring(deps.db, { digests: [digest], checkAt: new Date(Date.now() + dayMs) });
        await images.put(name, bytes);
      },
    };
  }

  it.each([
    ['its deletion', false],
    ['its deletion by a store that gave no answer', true],
  ])('a generation that is about to refer to a file waits for %s, and stores it again', async (_, isLate) => {
    const { name, storeAgain } = await dueFile(`drawn again ${isLate}`);
    const deleting = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const carriedOut = Promise.withResolvers<void>();
    const slow: ImageStore = {
      ...images,
      async delete(of, signal) {
        deleting.resolve();
        const work = mayGoOn.promise.then(() => images.delete(of, signal));
        work.then(carriedOut.resolve, carriedOut.reject);
        if (isLate) throw new ImageStoreError('no answer', { mayStillHappen: true });
        await work;
      },
    };
    const reaping = reapAfter(0, slow);
    await deleting.promise;
    if (isLate) await reaping;
    let isStored = false;
    const storing = storeAgain().then(() => {
      isStored = true;
    });
    await delay(400);
    expect(isStored).toBe(false);
    mayGoOn.resolve();
    await Promise.all([reaping, carriedOut.promise, storing]);
    await reapAfter(0.5);
    expect(await areThere([name])).toEqual([true]);
  });

  it('a volume that hangs longer than a deletion may take is waited for', async () => {
    const { name, storeAgain } = await dueFile('on a volume that hangs');
    const deleting = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const hung: ImageStore = {
      ...images,
      async delete(of) {
        deleting.resolve();
        await mayGoOn.promise;
        await images.delete(of);
      },
    };
    const reaping = reapAfter(0, hung);
    await deleting.promise;
    // It waits for 10 s, 2 s longer than a lease that is not renewed.
    await expect(storeAgain()).rejects.toBeInstanceOf(ImageStoreError);
    mayGoOn.resolve();
    await reaping;
    await storeAgain();
    await reapAfter(0.5);
    expect(await areThere([name])).toEqual([true]);
  }, 30_000);

  it('a reaper that died after a deletion is followed by another, and by a generation', async () => {
    const found = await dueFile('deleted by the dead');
    const drawn = await dueFile('deleted by the dead and drawn again');
    const dying: ImageStore = {
      ...images,
      async delete(of, signal) {
        await images.delete(of, signal);
        throw new Error('the process died here');
      },
    };
    await expect(reapAfter(0, dying)).rejects.toThrow('died here');
    expect(await areThere([found.name, drawn.name])).toEqual([false, false]);
    // Once the lease has run out.
    await drawn.storeAgain();
    await reapAfter(0.1);
    expect(await areThere([found.name, drawn.name])).toEqual([false, true]);
    const rows = await under.service.db.query<{ name: string }>(
      `select encode(digest, 'hex') as name from slide_files where encode(digest, 'hex') = any($1::text[])`,
      [[found.name, drawn.name]],
    );
    expect(rows).toEqual([{ name: drawn.name }]);
  }, 20_000);

  it('a file that a deleted workspace shared is kept for a workspace that is storing it', async () => {
    const leaving = testCaller();
    const { db } = under.service;
    const appId = await under.importApp(leaving);
    const bytes = Buffer.from(`shared with ${leaving.accountId}`);
    const of = {
      accountId: leaving.accountId,
      appId,
      kind: 'upload',
      sourceUrl: null,
      unreviewed: null,
    } as const;
    const deps = { db, images, now: () => new Date() };
    const picture = { bytes, width: 1, height: 1, contentType: 'image/jpeg' } as const;
    const row = await storePicture(deps, of, picture);
    await db.transaction(tx => insertPicture(tx, row));
    // Of another workspace, whose row is written after the file.
    const stored = await storePicture(deps, { ...of, accountId: caller.accountId }, picture);
    const body = { accountId: leaving.accountId, standing: 'deleted', revision: 1 };
    // The app's own pictures may be stored just now: the gateway repeats a call that failed.
    await eventually(async () => {
      const call = { sender: 'gateway', body } as const;
      const answer = await under.service.call('POST', '/internal/workspace-standings', call);
      expect(answer.body).toMatchObject({ isDone: true });
    });
    const name = stored.digest.toString('hex');
    await reapAfter(0.5 / 24);
    expect(await areThere([name])).toEqual([true]);
    await reapAfter(1.1 / 24);
    expect(await areThere([name])).toEqual([false]);
  });

  it('a store that cannot delete leaves the row for the next hour', async () => {
    const bytes = Buffer.from(`not yet ${caller.accountId}`);
    const digest = createHash('sha256').update(bytes).digest();
    await recordFiles(under.service.db, { digests: [digest], checkAt: new Date() });
    await images.put(digest.toString('hex'), bytes);
    const away = await createS3ImageStore({ ...s3, endpoint: 'http://127.0.0.1:9' });
    await reapAfter(0, away);
    away.close();
    expect(await areThere([digest.toString('hex')])).toEqual([true]);
    await passLeases();
    await reapAfter(0.1);
    expect(await areThere([digest.toString('hex')])).toEqual([false]);
  });

  it('a file that cannot be deleted delays no other', async () => {
    const texts = ['stays', 'goes'].map(word => Buffer.from(`${word} ${caller.accountId}`));
    const digests = texts.map(bytes => createHash('sha256').update(bytes).digest());
    const [stays = '', goes = ''] = digests.map(digest => digest.toString('hex'));
    await recordFiles(under.service.db, { digests, checkAt: new Date() });
    await images.put(stays, texts[0] as Buffer);
    await images.put(goes, texts[1] as Buffer);
    const refusing: ImageStore = {
      ...images,
      async delete(digest, signal) {
        if (digest === stays) throw new ImageStoreError('refused');
        await images.delete(digest, signal);
      },
    };
    await reapAfter(0, refusing);
    expect(await areThere([stays, goes])).toEqual([true, false]);
    await reapAfter(0.1);
    expect(await areThere([stays])).toEqual([false]);
  });
}

describe('the image folder', () => {
  itReaps({ env: {}, open: async under => createFileImageStore(under.dataDir) });
});

describe.skipIf(s3Url === null)('the S3 store', () => {
  perSuite(() => createBucket(s3));

  itReaps({ env: s3Environment(s3), open: () => createS3ImageStore(s3) });
});
