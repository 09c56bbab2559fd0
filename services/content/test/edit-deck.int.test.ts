/** Pictures, positions, order and template of a deck, and copies of it. */
import type { Picture } from '@hookline/shared/contracts/apps';
import type { Content } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '12' } }));
const caller = testCaller();

const call = (method: string, path: string, body?: unknown, as = caller) =>
  under.service.call(method, `/v1${path}`, { caller: as, ...(body === undefined ? {} : { body }) });
const newApp = async (...greys: number[]) => {
  const appId = await under.importApp(caller);
  const ids: string[] = [];
  for (const grey of greys) {
    const added = await call('POST', `/apps/${appId}/pictures`, fileForm(tinyPng(grey)));
    ids.push(dataOf<Picture>(added).id);
  }
  return { appId, ids };
};
const texts = { hook: 'What ferns want', slides: [{ text: 'Water' }, { text: 'Shade' }], closing: 'Pebblo' };
const newDeck = async (appId: string, brief: object) => {
  const answer = await under.create(caller, { appId, type: 'slideshow', brief: { ...texts, ...brief } });
  if (answer.status !== 201) throw new Error(answer.text);
  return dataOf<Content>(answer);
};
const digestsOf = async ({ id, version }: Content) =>
  (
    await under.service.db.query<{ digest: string }>(
      `select encode(digest, 'hex') as digest from slide_images where content_id = $1 and version = $2 order by slide_index`,
      [id, version],
    )
  ).map(({ digest }) => digest);
/** The pictures of the app that the slides show, without its icon. */
const shownIn = async ({ id }: Content) => {
  const rows = await under.service.db.query<{ id: string }>(
    `select p.id from contents c join pictures p on p.app_id = c.app_id and c.shown->'pictureIds' ? p.id
     where c.id = $1 and p.kind = 'upload' order by p.created_at`,
    [id],
  );
  return rows.map(row => row.id);
};

describe('PATCH /v1/content/{id}', () => {
  it('a slide shows the picture that the edit names, and the others keep theirs', async () => {
    const { appId, ids } = await newApp(30, 220);
    const deck = await newDeck(appId, { templateId: 'photo-card', pictureIds: [ids[0]] });
    await call('POST', `/content/${deck.id}/approve`, {});
    const body = { bodySlides: [{ text: 'Water', pictureId: ids[1] }, { text: 'Shade' }] };
    const preview = dataOf<Content>(await call('PATCH', `/content/${deck.id}?dryRun=true`, body));
    expect(preview.result?.bodySlides).toEqual(body.bodySlides);
    const edited = dataOf<Content>(await call('PATCH', `/content/${deck.id}`, body));
    expect(edited).toMatchObject({ version: 2, approvalStatus: 'pending', result: body });
    const [before, after] = [await digestsOf(deck), await digestsOf(edited)];
    expect(after.map((digest, at) => digest === before[at])).toEqual([true, false, true, true]);
    expect(preview.images.map(({ bytes }) => bytes)).toEqual(edited.images.map(({ bytes }) => bytes));
    expect(await shownIn(edited)).toEqual(ids);

    // The look of the cover is a field of its own, and stays when texts change.
    const all = {
      coverLook: { pictureId: ids[1] },
      closingLook: { pictureId: ids[1] },
      bodySlides: body.bodySlides,
    };
    all.bodySlides = all.bodySlides.map(slide => ({ ...slide, pictureId: ids[1] }));
    const third = dataOf<Content>(await call('PATCH', `/content/${deck.id}`, all));
    expect(await shownIn(third)).toEqual([ids[1]]);
    const fourth = dataOf<Content>(await call('PATCH', `/content/${deck.id}`, { hook: 'Another hook' }));
    expect(fourth.result).toMatchObject(all);
    const reset = dataOf<Content>(
      await call('PATCH', `/content/${deck.id}`, { coverLook: {}, hook: texts.hook }),
    );
    expect((await digestsOf(reset))[0]).toBe(before[0]);
  });

  it('slides change places with their pictures and positions', async () => {
    const { appId, ids } = await newApp(30, 220);
    const deck = await newDeck(appId, { templateId: 'photo-card' });
    const bodySlides = [
      { text: 'Shade', pictureId: ids[1], position: 'top' },
      { text: 'Water', pictureId: ids[0], position: 'bottom' },
    ];
    const edited = dataOf<Content>(
      await call('PATCH', `/content/${deck.id}`, { bodySlides, coverLook: { position: 'middle' } }),
    );
    expect(edited.result).toMatchObject({ bodySlides, coverLook: { position: 'middle' } });
    const turned = bodySlides.toReversed();
    const again = dataOf<Content>(await call('PATCH', `/content/${deck.id}`, { bodySlides: turned }));
    expect(again.result?.bodySlides).toEqual(turned);
  });

  it('a deck is drawn with another template, and texts alone get slides', async () => {
    const { appId } = await newApp(30);
    const deck = await newDeck(appId, {});
    expect(deck.templateId).toBeNull();
    for (const templateId of ['quote-card', 'photo-card', 'screenshot-card'] as const) {
      const edited = dataOf<Content>(await call('PATCH', `/content/${deck.id}`, { templateId }));
      expect([edited.templateId, edited.brief?.templateId, edited.images.length]).toEqual([
        templateId,
        templateId,
        4,
      ]);
    }
  });

  it('a picture that was deleted since is left out, and its slide takes its turn', async () => {
    const { appId, ids } = await newApp(30, 220);
    const deck = await newDeck(appId, { templateId: 'photo-card', pictureIds: [ids[0]] });
    await call('PATCH', `/content/${deck.id}`, { coverLook: { pictureId: ids[1] } });
    await call('DELETE', `/apps/${appId}/pictures/${ids[1]}`);
    const edited = dataOf<Content>(
      await call('PATCH', `/content/${deck.id}`, { coverLook: { pictureId: ids[1] }, ctaSoft: 'Pebblo!' }),
    );
    expect((await digestsOf(edited)).slice(0, 3)).toEqual((await digestsOf(deck)).slice(0, 3));
  });

  it('a deck whose pictures were all deleted is drawn with those that its slides name now', async () => {
    const { appId, ids } = await newApp(30, 220);
    const deck = await newDeck(appId, { templateId: 'photo-card', pictureIds: [ids[0]] });
    await call('DELETE', `/apps/${appId}/pictures/${ids[0]}`);
    const gone = await call('PATCH', `/content/${deck.id}`, { hook: 'Another hook' });
    expect([gone.status, codeOf(gone)]).toEqual([409, 'slide_missing']);
    const edit = await call('PATCH', `/content/${deck.id}`, { coverLook: { pictureId: ids[1] } });
    expect([edit.status, messageOf(edit)]).toEqual([200, '']);
    expect(await shownIn(dataOf<Content>(edit))).toEqual([ids[1]]);
  });

  it('400 naming the field for a picture of another app, too many pictures, a template without any', async () => {
    const { appId, ids } = await newApp(30);
    const [other] = (await newApp(90)).ids;
    const deck = await newDeck(appId, { templateId: 'photo-card' });
    const edit = async (body: unknown) => messageOf(await call('PATCH', `/content/${deck.id}`, body));
    const wrong = (field: string) => `${field}.pictureId must be the id of a picture of the app`;
    expect(await edit({ bodySlides: [{ text: 'a' }, { text: 'b', pictureId: other }] })).toBe(
      wrong('bodySlides[1]'),
    );
    expect(await edit({ coverLook: { pictureId: other } })).toBe(wrong('coverLook'));
    expect(await edit({ closingLook: { pictureId: 'picture_none' } })).toBe(wrong('closingLook'));
    const many = Array.from({ length: 11 }, (_, at) => ({ text: 'x', pictureId: `picture_${at}` }));
    expect(await edit({ bodySlides: many })).toBe('bodySlides must name at most 10 pictures');
    expect(await edit({ coverLook: { position: 'left' } })).toBe(
      'coverLook.position must be one of top, middle, bottom',
    );
    expect(ids).toHaveLength(1);
    const bare = await under.service.call('POST', '/v1/apps', {
      caller,
      body: {
        listing: {
          name: 'Lattenrost',
          description: 'Plan a slatted bed frame from what your shop sells. '.repeat(3),
        },
      },
    });
    const plain = await newDeck(dataOf<{ id: string }>(bare).id, { templateId: 'quote-card' });
    const refused = await call('PATCH', `/content/${plain.id}`, { templateId: 'photo-card' });
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      expect.stringMatching(/^templateId photo-card needs a picture of the app/),
    ]);
  });
});

describe('POST /v1/content/{id}/duplicate', () => {
  const duplicate = (id: string, as = caller, key = newId('req')) =>
    under.service.call('POST', `/v1/content/${id}/duplicate`, {
      caller: as,
      headers: { 'idempotency-key': key },
    });

  it('201 with the same texts and slides, pending, for 1 credit and once a key', async () => {
    const { appId } = await newApp();
    const deck = await newDeck(appId, { templateId: 'quote-card' });
    await call('POST', `/content/${deck.id}/approve`, {});
    const balance = async () => dataOf<{ balance: number }>(await call('GET', '/credits')).balance;
    const before = await balance();
    const answer = await duplicate(deck.id, caller, 'twice');
    expect(answer.status).toBe(201);
    const copy = dataOf<Content>(answer);
    const { id, images, createdAt, updatedAt, freshness, ...same } = deck;
    expect(copy).toMatchObject({ ...same, approvalStatus: 'pending', approval: null, costCharged: 1 });
    expect(copy.freshness).toEqual({ nearestContentId: id, overlap: 1 });
    expect(await digestsOf(copy)).toEqual(await digestsOf(deck));
    expect(copy.images.map(({ bytes }) => bytes)).toEqual(images.map(({ bytes }) => bytes));
    expect(
      (await fetch(under.service.url + copy.images[0]!.url.replace(/^https?:\/\/[^/]+/, ''))).status,
    ).toBe(200);
    expect((await duplicate(deck.id, caller, 'twice')).text).toBe(answer.text);
    expect(codeOf(await call('POST', `/content/${id}/duplicate`))).toBe('missing_idempotency_key');
    const body = { hook: 'Another' };
    const headers = { 'idempotency-key': 'with a body' };
    const withBody = await under.service.call('POST', `/v1/content/${id}/duplicate`, {
      caller,
      headers,
      body,
    });
    expect([withBody.status, messageOf(withBody)]).toEqual([
      400,
      'hook must be left out: POST /content/{id}/duplicate takes no body',
    ]);
    expect(await balance()).toBe(before - 1);
    await eventually(() => {
      const events = under.service.published.filter(({ key }) => key === copy.id);
      expect(events.map(({ headers }) => headers.ce_type)).toEqual(['job.completed']);
    });

    await call('PATCH', `/content/${copy.id}`, { hook: 'Only the copy' });
    expect(dataOf<Content>(await call('GET', `/content/${id}`))).toMatchObject({
      version: 1,
      approvalStatus: 'approved',
      result: { hook: texts.hook },
    });
    const timeline = dataOf<{ what: string }[]>(await call('GET', `/content/${copy.id}/timeline`));
    expect(timeline.map(({ what }) => what)).toContain('made');
  });

  it('404 for the deck of another account, 409 not_ready for a failed one, 402 without a credit', async () => {
    const { appId } = await newApp();
    const deck = await newDeck(appId, {});
    expect((await duplicate(deck.id, testCaller())).status).toBe(404);
    const failed = dataOf<Content>(await under.create(caller, { appId, type: 'hook_video' }));
    expect(codeOf(await duplicate(failed.id))).toBe('not_ready');
    const poor = testCaller();
    const poorApp = await under.importApp(poor);
    const made = await under.create(poor, { appId: poorApp, type: 'slideshow' });
    const { id } = dataOf<Content>(made);
    for (let left = 11; left > 0; left -= 1) expect((await duplicate(id, poor)).status).toBe(201);
    expect(codeOf(await duplicate(id, poor))).toBe('insufficient_credits');
  });
});
