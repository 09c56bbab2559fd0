/** Decks of slides that somebody made elsewhere. */
import type { Picture } from '@hookline/shared/contracts/apps';
import type { Content } from '@hookline/shared/contracts/content';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(startContent);
const caller = testCaller();
let appId: string;
beforeAll(async () => {
  appId = await under.importApp(caller);
});

const call = (method: string, path: string, body?: unknown, as = caller) =>
  under.service.call(method, `/v1${path}`, { caller: as, ...(body === undefined ? {} : { body }) });
const upload = async (file: Buffer, kind = 'slide', [as, ofApp] = [caller, appId]) =>
  dataOf<Picture>(await call('POST', `/apps/${ofApp}/pictures?kind=${kind}`, fileForm(file), as));
const create = (brief: object) =>
  under.create(caller, {
    appId,
    type: 'slideshow',
    brief: { templateId: 'picture', hook: 'Spring', ...brief },
  });
const bytesOf = async (url: string) =>
  Buffer.from(await (await fetch(under.service.url + url.slice(new URL(url).origin.length))).arrayBuffer());

/** Noise, which shows every row that is cut off or drawn at another place. */
const design = (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = 64 + ((Math.floor(at / 48) * 97) % 128);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
};

describe('a deck of finished slides', () => {
  it('shows exactly the uploaded pixels, in the order asked, with no text over them', async () => {
    const file = await design(1080, 1920).png().toBuffer();
    const [first, second] = [await upload(file), await upload(tinyPng(200))];
    const content = dataOf<Content>(await create({ pictureIds: [second.id, first.id], caption: 'By hand' }));
    expect(content).toMatchObject({
      status: 'ready',
      templateId: 'picture',
      approvalStatus: 'pending',
      writer: { kind: 'given' },
      brief: { ctaMode: 'none' },
      result: { hook: 'Spring', caption: 'By hand', bodySlides: [{ text: '', pictureId: first.id }] },
    });
    const sizes = content.images.map(({ width, height, contentType }) => [width, height, contentType]);
    expect(sizes).toEqual(Array(2).fill([1080, 1920, 'image/jpeg']));
    const posted = await bytesOf(content.images[1]?.url ?? '');
    expect(posted.equals(await bytesOf(first.url))).toBe(true);
    const [given, drawn] = await Promise.all([file, posted].map(bytes => sharp(bytes).raw().toBuffer()));
    const apart = drawn?.reduce((sum, value, at) => sum + Math.abs(value - (given?.[at] ?? 0)), 0) ?? 0;
    expect(apart / (drawn?.length ?? 1)).toBeLessThan(4);
    expect((await create(content.brief ?? {})).status).toBe(201);
  });

  it('shows a picture of another shape whole, on black', async () => {
    const square = await sharp({ create: { width: 540, height: 540, channels: 3, background: '#c03020' } })
      .png()
      .toBuffer();
    const { url } = await upload(square);
    const { data, info } = await sharp(await bytesOf(url))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number) => data[(y * info.width + x) * info.channels] ?? 0;
    expect([info.width, info.height]).toEqual([1080, 1920]);
    for (const [x, y] of [
      [4, 430],
      [1075, 1490],
    ] as const)
      expect(redAt(x, y)).toBeGreaterThan(180);
    for (const [x, y] of [
      [540, 400],
      [540, 1520],
    ] as const)
      expect(redAt(x, y)).toBeLessThan(12);
  });

  it('an edit changes the order, and keeps a slide without a picture out', async () => {
    const ids = [
      (await upload(tinyPng(10))).id,
      (await upload(tinyPng(90))).id,
      (await upload(tinyPng(170))).id,
    ];
    const before = dataOf<Content>(await create({ pictureIds: ids }));
    const edit = (body: object) => call('PATCH', `/content/${before.id}`, body);
    const [a, b, c] = ids;
    const edited = dataOf<Content>(
      await edit({
        coverLook: { pictureId: c },
        bodySlides: [
          { text: '', pictureId: b },
          { text: '', pictureId: a },
        ],
      }),
    );
    expect([edited.version, edited.images.map(({ bytes }) => bytes)]).toEqual([
      2,
      before.images.map(({ bytes }) => bytes).toReversed(),
    ]);
    expect(messageOf(await edit({ bodySlides: [{ text: 'A tip' }] }))).toMatch(
      /^bodySlides\[0\]\.pictureId must be the id of a finished slide/,
    );
    for (const body of [{}, { bodySlides: [{ text: '\u200b\u2800' }] }]) {
      expect(messageOf(await edit({ templateId: 'quote-card', ...body }))).toBe(
        'bodySlides[0].text must be a text of 1 to 500 characters that is not blank',
      );
    }
    await call('DELETE', `/apps/${appId}/pictures/${a}`);
    const gone = await edit({ hook: 'Summer' });
    expect([gone.status, codeOf(gone)]).toEqual([409, 'slide_missing']);
    expect((await edit({ caption: 'Summer' })).status).toBe(200);
  });

  it('its slides are no pictures for other decks', async () => {
    const { id } = await upload(tinyPng(33));
    const rows = async (query: string) => {
      const answer = await call('GET', `/apps/${appId}/pictures${query}`);
      return dataOf<Picture[]>(answer).map(row => row.id);
    };
    expect([(await rows('')).includes(id), (await rows('?kind=slide')).includes(id)]).toEqual([false, true]);
    for (const pictureIds of [[id], []]) {
      const refused = await create({ templateId: 'photo-card', slideCount: 2, pictureIds });
      expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_request']);
    }
    // An unknown picture is refused also where none would be shown.
    for (const templateId of ['quote-card', undefined]) {
      const refused = await create({ templateId, pictureIds: ['picture_1'] });
      expect(messageOf(refused)).toBe('brief.pictureIds[0] must be the id of a picture of the app');
    }
    const logo = await call('PATCH', `/apps/${appId}`, { brand: { logoImageId: id } });
    expect(messageOf(logo)).toBe('brand.logoImageId must be the id of a picture of the app');
  });

  it('400 for the slide of another workspace, and for a picture that is no finished slide', async () => {
    const stranger = testCaller();
    const theirs = await upload(tinyPng(50), 'slide', [stranger, await under.importApp(stranger)]);
    const plain = await upload(tinyPng(51), 'upload');
    const own = await upload(tinyPng(52));
    for (const { id } of [theirs, plain]) {
      const refused = await create({ pictureIds: [own.id, id] });
      expect([refused.status, messageOf(refused)]).toEqual([
        400,
        'brief.pictureIds[1] must be the id of a finished slide (a picture uploaded with kind=slide) of the app',
      ]);
    }
  });

  it.each([
    [
      {},
      'brief.pictureIds is required and must be a list of 1 to 35 pictures, each a slide of the template picture',
    ],
    [{ pictureIds: Array(36).fill('picture_1') }, 'brief.pictureIds must be a list of 0 to 35 picture ids'],
    [
      { templateId: 'photo-card', pictureIds: Array(11).fill('picture_1') },
      'brief.pictureIds must be a list of 0 to 10 picture ids',
    ],
    [
      { pictureIds: ['picture_1'], hook: undefined },
      'brief.hook is required and must name the deck, since its slides are pictures',
    ],
    [
      { pictureIds: ['picture_1'], closing: 'Get it' },
      'brief.closing must be left out with the template picture',
    ],
    [{ pictureIds: ['picture_1'], topic: 'ferns' }, 'brief.topic must be left out with the template picture'],
    [
      { pictureIds: ['picture_1'], ctaMode: 'soft' },
      'brief.ctaMode must be none, or left out, with the template picture',
    ],
    [
      { pictureIds: ['picture_1'], slideCount: 3 },
      'brief.slideCount must be 1, the number of pictures, or left out',
    ],
  ])('400 for %j', async (brief, message) => {
    const refused = await create(brief);
    expect([refused.status, messageOf(refused)]).toEqual([400, message]);
  });
});

it('a deck of finished slides becomes a photo-card with the pictures of the app', async () => {
  const [slide, photo] = [await upload(tinyPng(220)), await upload(tinyPng(221), 'upload')];
  const content = dataOf<Content>(await create({ pictureIds: [slide!.id, slide!.id] }));
  const body = { templateId: 'photo-card', bodySlides: [{ text: 'A text' }] };
  const answer = await call('PATCH', `/content/${content.id}`, body);
  expect([answer.status, messageOf(answer)]).toEqual([200, '']);
  const [row] = await under.service.db.query<{ shown: { pictureIds: string[] } }>(
    'select shown from contents where id = $1',
    [content.id],
  );
  expect(row?.shown.pictureIds).toContain(photo!.id);
});
