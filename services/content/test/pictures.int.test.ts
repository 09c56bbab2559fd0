/** Pictures of an app: uploads, the screenshots of its store page, their links and their files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Picture } from '@hookline/shared/contracts/apps';
import type { Content } from '@hookline/shared/contracts/content';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { describe, expect, it } from 'vitest';
import { findApp } from '../src/apps/queries.ts';
import { reapImages } from '../src/images/reap.ts';
import { choosePictures } from '../src/pictures/choose.ts';
import { claimScreenshot, findIcon, wantScreenshots } from '../src/pictures/queries.ts';
import { createFileImageStore } from '../src/storage/image-store.ts';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(startContent);

const caller = testCaller();
const upload = (appId: string, body: unknown, key?: string) =>
  under.service.call('POST', `/v1/apps/${appId}/pictures`, {
    caller,
    body,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });
const twice = (form: FormData) => {
  form.append('file', form.get('file')!);
  return form;
};
const list = async (appId: string, query = '') => {
  const answer = await under.service.call('GET', `/v1/apps/${appId}/pictures${query}`, { caller });
  return answer.body as { data: Picture[]; nextCursor: string | null };
};
const fileOf = async (id: string): Promise<string> => {
  const rows = await under.service.db.query<{ digest: string }>(
    `select encode(digest, 'hex') as digest from pictures where id = $1`,
    [id],
  );
  const digest = rows[0]?.digest ?? '';
  return join(under.dataDir, 'images', digest.slice(0, 2), digest);
};
/** The reaper as it runs in the given number of days. */
const reapIn = (days: number) =>
  reapImages({
    db: under.service.db,
    log: under.service.log,
    now: () => new Date(Date.now() + days * dayMs),
    images: createFileImageStore(under.dataDir),
    eventRetentionDays: 1,
  });

describe('POST /v1/apps/{id}/pictures', () => {
  it('stores an upload under a signed link; the same key adds it once', async () => {
    const appId = await under.importApp(caller);
    const first = await upload(appId, fileForm(tinyPng(10)), 'same');
    expect(first.status).toBe(201);
    const picture = dataOf<Picture>(first);
    expect(picture).toMatchObject({ kind: 'upload', width: 64, height: 64, contentType: 'image/jpeg' });
    const link = new URL(picture.url);
    const image = await fetch(`${under.service.url}${link.pathname}${link.search}`);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await image.arrayBuffer()).byteLength).toBe(picture.bytes);
    const again = await upload(appId, fileForm(tinyPng(10)), 'same');
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await upload(appId, fileForm(tinyPng(11)), 'same')).status).toBe(400);
    const { data } = await list(appId);
    expect(data.map(({ id }) => id)).toEqual([picture.id]);
  });

  it.each([
    [
      'another format',
      () => fileForm(Buffer.from('GIF89a'.padEnd(64, '\0')), 'a.png'),
      415,
      'unsupported_image_format',
      /^file must be a JPEG/,
    ],
    [
      'a damaged picture',
      () => fileForm(tinyPng().subarray(0, 50)),
      400,
      'invalid_request',
      /^file must be .* decoded/,
    ],
    [
      'more than 10 MB',
      () => fileForm(Buffer.alloc(10_000_001)),
      413,
      'image_too_large',
      /^file must have at most 10 MB/,
    ],
    ['another field', () => fileForm(tinyPng(), 'a.png', 'picture'), 400, 'invalid_request', /field file/],
    ['a second file', () => twice(fileForm(tinyPng())), 400, 'invalid_request', /one field file/],
    ['no field', () => new FormData(), 400, 'invalid_request', /field file/],
    ['JSON', () => ({ file: 'x' }), 415, 'invalid_request', /field file/],
  ])('refuses %s', async (_name, body, status, code, message) => {
    const appId = await under.importApp(caller);
    const answer = await upload(appId, body());
    expect([answer.status, codeOf(answer), messageOf(answer)]).toEqual([
      status,
      code,
      expect.stringMatching(message),
    ]);
    expect((await list(appId)).data).toEqual([]);
  });

  it('404 for an app of another account; 400 for the 51st', async () => {
    expect((await upload(await under.importApp(testCaller()), fileForm(tinyPng()))).status).toBe(404);
    const appId = await under.importApp(caller);
    await upload(appId, fileForm(tinyPng()));
    await under.service.db.query(
      `insert into pictures (id, account_id, app_id, kind, width, height, bytes, content_type, digest, created_at, updated_at)
       select id || n, account_id, app_id, kind, width, height, bytes, content_type, digest, created_at, updated_at
       from pictures, generate_series(1, 49) n where app_id = $1 and kind = 'upload'`,
      [appId],
    );
    // Not decoded: a damaged one is refused for the same reason.
    for (const file of [tinyPng(), tinyPng().subarray(0, 50)]) {
      const refused = await upload(appId, fileForm(file));
      expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('at most 50')]);
    }
    const page = await list(appId, '?limit=30');
    const rest = await list(appId, `?limit=30&cursor=${page.nextCursor}`);
    expect([page.data.length, rest.data.length]).toEqual([30, 20]);
  });
});

describe('the file of a picture', () => {
  it("a picture's file is kept while the picture exists, and is deleted with it or with its app", async () => {
    const appId = await under.importApp(caller);
    const [kept, gone] = [
      await upload(appId, fileForm(tinyPng(20))),
      await upload(appId, fileForm(tinyPng(21))),
    ];
    const files = await Promise.all([kept, gone].map(answer => fileOf(dataOf<Picture>(answer).id)));
    const remove = (path: string) => under.service.call('DELETE', `/v1/apps/${appId}${path}`, { caller });
    const path = `/pictures/${dataOf<Picture>(gone).id}`;
    expect([(await remove(path)).status, (await remove(path)).status]).toEqual([200, 404]);
    await reapIn(2);
    expect(files.map(file => existsSync(file))).toEqual([true, false]);
    await remove('');
    await reapIn(3);
    expect(files.map(file => existsSync(file))).toEqual([false, false]);
  });
});

describe('the screenshots of a store page', () => {
  const refresh = (id: string) => under.service.call('POST', `/v1/apps/${id}/refresh`, { caller });
  const remove = (id: string, picture: string) =>
    under.service.call('DELETE', `/v1/apps/${id}/pictures/${picture}`, { caller });
  const importShown = async (appStoreUrl: string): Promise<string> => {
    const answer = await under.service.call('POST', '/v1/apps', {
      caller,
      body: { name: 'Shown', appStoreUrl },
    });
    return dataOf<{ id: string }>(answer).id;
  };

  it.each([
    ['https://apps.apple.com/us/app/fogline/id9990000042', 3],
    ['https://play.google.com/store/apps/details?id=com.quillbill.invoices', 2],
  ])('screenshots are fetched after the import and drawn: %s', async (url, count) => {
    const appId = await importShown(url);
    const data = await eventually(async () => {
      const found = (await list(appId)).data;
      expect(found.length).toBe(count);
      return found;
    }, 20_000);
    expect(data[0]).toMatchObject({ kind: 'screenshot', width: 540, height: 1170 });
    const brief = { templateId: 'screenshot-card', slideCount: 3 };
    const deck = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
    expect([deck.status, deck.images?.length]).toEqual(['ready', 3]);
  });

  it('the icon is fetched too, shown on the closing slide alone, and is in no list', async () => {
    const appId = await importShown('https://play.google.com/store/apps/details?id=com.quillbill.invoices');
    const { db } = under.service;
    await eventually(async () => {
      const icons = await db.query(`select 1 from pictures where app_id = $1 and kind = 'icon'`, [appId]);
      expect(icons.length).toBe(1);
      expect((await list(appId)).data.length).toBe(2);
    }, 20_000);
    const iconOf = async (method = 'GET', body?: object) =>
      dataOf<App>(await under.service.call(method, `/v1/apps/${appId}`, { caller, ...(body && { body }) }))
        .iconUrl;
    const logo = dataOf<Picture>(await upload(appId, fileForm(tinyPng(40))));
    expect(await iconOf('PATCH', { brand: { logoImageId: logo.id } })).toContain(logo.id);
    await remove(appId, logo.id);
    const iconUrl = await iconOf();
    expect((await fetch(String(iconUrl).replace(/^.*\/media/, `${under.service.url}/media`))).status).toBe(
      200,
    );
    const brief = {
      templateId: 'quote-card',
      hook: 'One line',
      slides: [{ text: 'Another line.' }],
      closing: 'The last one.',
    };
    const draw = async () => {
      const deck = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
      return deck.images.map(({ bytes }) => bytes);
    };
    const shown = await draw();
    await db.query(`delete from pictures where app_id = $1 and kind = 'icon'`, [appId]);
    const without = await draw();
    expect(without.map((bytes, i) => bytes === shown[i])).toEqual([true, true, false]);
  });

  it('a refresh replaces the screenshots, in the order of the page', async () => {
    const { db } = under.service;
    const put = (screenshots: number, icon = 'old') =>
      fetch(`${under.simulatorsUrl}/_control/apps/appstore/884`, {
        method: 'PUT',
        headers: controlHeaders,
        body: JSON.stringify({
          name: 'Shown',
          description: 'Shows its screens.',
          developer: 'B',
          category: 'Tools',
          screenshots,
          iconUrl: `${under.simulatorsUrl}/appstore/artwork/${icon}/512x512bb.png`,
        }),
      });
    await put(2);
    const id = await importShown('https://apps.apple.com/us/app/shown/id884');
    const ofNumber = (n: number) => `${under.simulatorsUrl}/appstore/screenshots/884/${n}.png/1080x0w.png`;
    const stored = async (): Promise<Record<string, string>> => {
      const rows = await db.query<{ id: string; url: string }>(
        `select id, source_url as url from pictures where app_id = $1 and kind = 'screenshot'`,
        [id],
      );
      return Object.fromEntries(rows.map(row => [row.url.replace(/.*\/(.*)\.png\/.*$/, '$1'), row.id]));
    };
    const haveStored = (numbers: string[]) =>
      eventually(async () => expect(Object.keys(await stored()).toSorted()).toEqual(numbers), 20_000);
    await haveStored(['1', '2']);
    // What the page had before: 5 is the logo, 6 in a deck that is being made, 7 and 9 in none, 8
    // is still to be fetched.
    const { 1: first, 2: second } = await stored();
    await db.query(
      `insert into pictures (id, account_id, app_id, kind, width, height, bytes, content_type, digest, source_url,
         created_at, updated_at)
       select 'picture_' || n || $2, account_id, app_id, kind, width, height, bytes, content_type, digest,
         replace(source_url, '/1.png', '/' || n || '.png'), created_at - interval '1 day', updated_at
       from pictures, generate_series(5, 7) n where id = $1`,
      [first, id],
    );
    const body = { brand: { logoImageId: `picture_5${id}` } };
    expect((await under.service.call('PATCH', `/v1/apps/${id}`, { caller, body })).status).toBe(200);
    await db.query(
      `insert into contents (id, account_id, app_id, type, status, brief, created_at, updated_at, lease_until)
       select 'content_' || id, account_id, id, 'slideshow', 'running',
         jsonb_build_object('pictureIds', array['picture_6' || id]), now() - interval '1 day', now(), 'infinity'
       from apps where id = $1`,
      [id],
    );
    await db.query(
      `insert into wanted_screenshots (app_id, source_url, due_at) values ($1, $2, 'infinity')`,
      [id, ofNumber(8)],
    );
    expect((await remove(id, second!)).status).toBe(200);
    await db.query('update pictures set source_url = $2 where id = $1', [first, ofNumber(9)]);
    await put(4);
    expect((await refresh(id)).status).toBe(200);
    await haveStored(['1', '3', '4', '5', '6']);
    const app = (await findApp(db, caller.accountId, id))!;
    const deps = { db, images: createFileImageStore(under.dataDir) };
    const { pictures } = await choosePictures(deps, app, { templateId: 'screenshot-card' });
    expect(pictures.map(({ sourceUrl }) => sourceUrl)).toEqual([1, 3, 4].map(ofNumber));
    const left = await db.query('select 1 from wanted_screenshots where app_id = $1', [id]);
    expect(left).toEqual([]);
    // Those of the page are there, so what it no longer has goes at once. A page that
    // shows none deletes none.
    for (const screenshots of [3, 0]) {
      await put(screenshots);
      expect((await refresh(id)).status).toBe(200);
      expect(Object.keys(await stored()).toSorted()).toEqual(['1', '3', '5', '6']);
    }
    // The old icon still waits: it is not taken for a screenshot of the page that has another.
    await db.query(
      `insert into wanted_screenshots (app_id, source_url, due_at) values ($1, $2, 'infinity')`,
      [id, `${under.simulatorsUrl}/appstore/artwork/late/512x512bb.png`],
    );
    await put(0, 'new');
    expect((await refresh(id)).status).toBe(200);
    await eventually(
      async () => expect((await findIcon(db, id))?.sourceUrl).toContain('/artwork/new/'),
      20_000,
    );
    expect(await db.query('select 1 from wanted_screenshots where app_id = $1', [id])).toEqual([]);
  });

  it('screenshots are fetched by turns of the accounts', async () => {
    const [many, more, one] = [testCaller(), testCaller(), testCaller()];
    const apps = [many, many, more, one];
    const ids = await Promise.all(apps.map(owner => under.importApp(owner)));
    await eventually(async () => {
      expect(await under.service.db.query('select 1 from wanted_screenshots')).toEqual([]);
    }, 10_000);
    const order: string[] = [];
    // Nobody else sees the rows: they are rolled back.
    const work = under.service.db.transaction(async tx => {
      const want = (at: number, urls: string[]) =>
        wantScreenshots(tx, { id: ids[at]!, accountId: apps[at]!.accountId }, urls);
      await want(0, ['1', '2', '3']);
      await want(1, ['4', '5']);
      await want(2, ['6', '7']);
      order.push((await claimScreenshot(tx, 60_000))!.sourceUrl);
      await want(3, ['8']);
      for (let at = 1; at < 8; at += 1) order.push((await claimScreenshot(tx, 60_000))!.sourceUrl);
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(order.indexOf('8')).toBeLessThan(3);
    expect(order.indexOf('7')).toBeLessThan(5);
    expect(order.filter(url => '12345'.includes(url))).toEqual(['1', '2', '3', '4', '5']);
  });

  it('a screenshot that ended its process too often is given up', async () => {
    const appId = await under.importApp(caller);
    await under.service.db.query(
      `insert into wanted_screenshots (app_id, source_url, due_at, attempts)
       values ($1, $2, now(), 3)`,
      [appId, `${under.simulatorsUrl}/appstore/screenshots/9990000042/1.png/1080x0w.png`],
    );
    await under.service.db.query('notify screenshots_wanted');
    await eventually(async () => {
      const left = await under.service.db.query('select 1 from wanted_screenshots where app_id = $1', [
        appId,
      ]);
      expect(left).toEqual([]);
    }, 10_000);
    expect((await list(appId)).data.filter(({ kind }) => kind === 'screenshot')).toEqual([]);
  });

  it('a screenshot that cannot be fetched fails neither the import nor the others', async () => {
    await fetch(`${under.simulatorsUrl}/_control/apps/appstore/882`, {
      method: 'PUT',
      headers: controlHeaders,
      body: JSON.stringify({ name: 'Shot', description: 'Counts shots.', developer: 'B', category: 'Tools' }),
    });
    const appId = await importShown('https://apps.apple.com/us/app/shot/id882');
    // Never fetched: the address is not a store's.
    await under.service.db.query(
      `insert into wanted_screenshots (app_id, source_url, due_at, attempts) values ($1, $2, now(), 2)`,
      [appId, `http://127.0.0.1:1/secret.png`],
    );
    await under.service.db.query(`notify screenshots_wanted`);
    await eventually(async () => {
      const left = await under.service.db.query('select 1 from wanted_screenshots where app_id = $1', [
        appId,
      ]);
      expect(left).toEqual([]);
    }, 10_000);
    expect((await list(appId)).data).toEqual([]);
  });
});
