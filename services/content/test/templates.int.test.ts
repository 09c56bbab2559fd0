/** Templates, pictures in decks, and the brand of an app. */
import type { App, Picture } from '@hookline/shared/contracts/apps';
import { fontPairNames } from '@hookline/shared/contracts/apps';
import { templateIds } from '@hookline/shared/contracts/brief';
import type { Content } from '@hookline/shared/contracts/content';
import { fontPairs, templates } from '@hookline/slides';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(startContent);

const caller = testCaller();
const call = (method: string, path: string, body?: unknown) =>
  under.service.call(method, `/v1${path}`, { caller, ...(body === undefined ? {} : { body }) });
const addPicture = async (appId: string, grey: number) =>
  dataOf<Picture>(await call('POST', `/apps/${appId}/pictures`, fileForm(tinyPng(grey)))).id;
const create = (appId: string, brief: unknown) => under.create(caller, { appId, type: 'slideshow', brief });

it('names the same templates and typefaces in the contract and in the renderer', () => {
  expect(templates.map(({ id }) => id)).toEqual([...templateIds]);
  expect(Object.keys(fontPairs)).toEqual([...fontPairNames]);
});

describe('GET /v1/templates', () => {
  it('GET /v1/templates lists each template with samples that are open to everyone', async () => {
    const rows = dataOf<{ id: string; sampleUrls: string[]; needsPictures: boolean }[]>(
      await call('GET', '/templates'),
    );
    expect(rows.map(({ id, needsPictures }) => [id, needsPictures])).toEqual([
      ['quote-card', false],
      ['photo-card', true],
      ['screenshot-card', true],
      ['picture', true],
    ]);
    for (const { sampleUrls } of rows) {
      const image = await fetch(under.service.url + new URL(sampleUrls[0] ?? '').pathname);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
    expect((await fetch(`${under.service.url}/media/templates/none.jpg`)).status).toBe(404);
  });
});

describe('a deck with pictures', () => {
  it('a deck shows the pictures of its brief, else those of the app, and keeps its template when edited', async () => {
    const appId = await under.importApp(caller);
    const [first, second] = [await addPicture(appId, 30), await addPicture(appId, 220)];
    const digests = async (brief: object) => {
      const answer = await create(appId, {
        templateId: 'photo-card',
        hook: 'A hook',
        slideCount: 2,
        ...brief,
      });
      expect(answer.status).toBe(201);
      const content = dataOf<Content>(answer);
      expect([content.status, content.templateId, content.images.length]).toEqual(['ready', 'photo-card', 2]);
      return content;
    };
    const given = await digests({ pictureIds: [second] });
    const own = await digests({});
    expect(own.images[0]?.bytes).not.toBe(given.images[0]?.bytes);
    expect(first).not.toBe(second);
    const edited = await call('PATCH', `/content/${given.id}`, { hook: 'Another hook' });
    expect(dataOf<Content>(edited)).toMatchObject({ version: 2, templateId: 'photo-card' });
  });

  it('a logo is never the background: 400 for a photo-card of an app that has no other picture', async () => {
    const appId = await under.importApp(caller);
    const logoImageId = await addPicture(appId, 90);
    await call('PATCH', `/apps/${appId}`, { brand: { logoImageId } });
    const refused = await create(appId, { templateId: 'photo-card', slideCount: 2 });
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      expect.stringMatching(/needs a picture of the app/),
    ]);
  });

  it('auto is photo-card with three uploads beside the logo, else quote-card; without a template nothing is drawn', async () => {
    const appId = await under.importApp(caller);
    const logoImageId = await addPicture(appId, 10);
    await call('PATCH', `/apps/${appId}`, { brand: { logoImageId } });
    for (const grey of [60, 120]) await addPicture(appId, grey);
    const drawn = async (brief: object) => {
      const { templateId, brief: kept } = dataOf<Content>(await create(appId, { slideCount: 2, ...brief }));
      return [templateId, kept?.templateId];
    };
    expect(await drawn({ templateId: 'auto' })).toEqual(['quote-card', 'quote-card']);
    await addPicture(appId, 180);
    expect(await drawn({ templateId: 'auto' })).toEqual(['photo-card', 'photo-card']);
    expect(await drawn({})).toEqual([null, undefined]);
  });

  it('an edited deck leaves out deleted pictures, and is refused when none is left', async () => {
    const appId = await under.importApp(caller);
    const ids = [await addPicture(appId, 40), await addPicture(appId, 200)];
    const brief = { templateId: 'photo-card', slideCount: 2, pictureIds: ids };
    const { id } = dataOf<Content>(await create(appId, brief));
    const edit = (hook: string) => call('PATCH', `/content/${id}`, { hook });
    await call('DELETE', `/apps/${appId}/pictures/${ids[0]}`);
    expect(dataOf<Content>(await edit('One is left')).version).toBe(2);
    await call('DELETE', `/apps/${appId}`);
    const refused = await edit('None is left');
    expect([refused.status, codeOf(refused), messageOf(refused)]).toEqual([
      409,
      'slide_missing',
      `The pictures of this content are gone: ${ids.join(', ')}; its slides cannot be drawn.`,
    ]);
    expect((await call('PATCH', `/content/${id}`, { caption: 'No slide changes' })).status).toBe(200);
  });

  it.each([
    [
      'an unknown template',
      { templateId: 'poster' },
      /^brief.templateId must be one of quote-card, photo-card, screenshot-card, picture, auto$/,
    ],
    [
      'no picture at all',
      { templateId: 'screenshot-card' },
      /^brief.templateId screenshot-card needs a picture/,
    ],
    [
      'a picture of no one',
      { templateId: 'photo-card', pictureIds: ['picture_none'] },
      /^brief.pictureIds\[0\] must be the id/,
    ],
  ])('400 for %s, nothing charged, and the key is free', async (_name, brief, message) => {
    const poor = testCaller();
    const appId = await under.importApp(poor);
    const ask = (body: unknown) => under.create(poor, { appId, type: 'slideshow', brief: body }, 'the-key');
    const refused = await ask(brief);
    expect([refused.status, codeOf(refused), messageOf(refused)]).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(message),
    ]);
    const credits = await under.service.call('GET', '/v1/credits', { caller: poor });
    expect(dataOf(credits)).toMatchObject({ balance: 25, dailyGeneration: { used: 0 } });
    expect((await ask({ slideCount: 2 })).status).toBe(201);
  });
});

describe('the brand of an app', () => {
  const patch = (id: string, brand: unknown) => call('PATCH', `/apps/${id}`, { brand });

  it('a brand is merged field by field, cleared by null, and shown on the slides', async () => {
    const id = await under.importApp(caller);
    const logoImageId = await addPicture(id, 90);
    await patch(id, { colors: ['#102A43', '#ffd166'], handle: '@pebblo' });
    const merged = await patch(id, { handle: null, fonts: 'manrope', logoImageId });
    expect(dataOf<App>(merged).brand).toEqual({
      colors: ['#102a43', '#ffd166'],
      logoImageId,
      handle: null,
      fonts: 'manrope',
      voice: null,
      avoidWords: null,
    });
    const deck = dataOf<Content>(await create(id, { templateId: 'quote-card', slideCount: 2 }));
    expect([deck.status, deck.images.length]).toEqual(['ready', 2]);
    expect(dataOf<App>(await patch(id, null)).brand).toBeNull();
  });

  it.each([
    [
      { colors: ['#777777', '#888888'] },
      'brand.colors must have a contrast of at least 4.5:1 between background and accent; their contrast is 1.2:1',
    ],
    [{ colors: ['red', '#888888'] }, 'brand.colors[0] must be a colour like #1a2b3c'],
    [{ colors: ['#888888'] }, 'brand.colors must be a list of exactly 2 colours, background and accent'],
    [{ fonts: 'comic' }, `brand.fonts must be one of ${fontPairNames.join(', ')}`],
    [{ logoImageId: 'picture_none' }, 'brand.logoImageId must be the id of a picture of the app'],
    [{ voice: ['a', 'b', 'c', 'd'] }, 'brand.voice must be a list of 0 to 3 texts'],
    [{ tone: 'warm' }, 'brand.tone is not a known field'],
    [{}, 'brand must have at least one of colors, logoImageId, handle, fonts, voice, avoidWords'],
  ])('400 for %j', async (brand, message) => {
    const answer = await patch(await under.importApp(caller), brand);
    expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  });

  it('seed hooks with avoided words are left out, and come back without the words', async () => {
    const id = await under.importApp(caller);
    const hooksOf = async (brand: unknown) => {
      await patch(id, brand);
      return dataOf<App>(await call('GET', `/apps/${id}`)).seedHooks ?? [];
    };
    const all = await hooksOf(null);
    const word = /\p{L}{5,}/u.exec(all[0] ?? '')?.[0] ?? '';
    const others = await hooksOf({ avoidWords: [word.toUpperCase()] });
    expect([others.includes(all[0] ?? ''), all.filter(hook => others.includes(hook))]).toEqual([
      false,
      others,
    ]);
    expect(await hooksOf({ avoidWords: null })).toEqual(all);
  });

  it('a deck has no avoided word, or fails uncharged', async () => {
    const own = testCaller();
    const id = await under.importApp(own);
    const avoid = (avoidWords: string[]) =>
      under.service.call('PATCH', `/v1/apps/${id}`, { caller: own, body: { brand: { avoidWords } } });
    // Every deck names the app.
    await avoid(['Pebblo']);
    const refused = dataOf<Content>(await under.create(own, { appId: id, type: 'slideshow' }));
    expect([refused.status, refused.error?.code, refused.costCharged]).toEqual([
      'failed',
      'avoided_words',
      0,
    ]);
    await avoid(['a word that is in no deck']);
    expect(dataOf<Content>(await under.create(own, { appId: id, type: 'slideshow' })).status).toBe('ready');
  });
});
