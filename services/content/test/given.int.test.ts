/** Decks whose texts the caller wrote. */
import type { Content } from '@hookline/shared/contracts/content';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

// A text model that cannot be reached: whoever asked it would fail.
const under = perSuite(() =>
  startContent({ env: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'none' } }),
);
const caller = testCaller();
let appId: string;
beforeAll(async () => {
  appId = await under.importApp(caller);
});

const create = (brief: unknown, key?: string) =>
  under.create(caller, { appId, type: 'slideshow', brief }, key);
const balance = async () =>
  dataOf<{ balance: number }>(await under.service.call('GET', '/v1/credits', { caller })).balance;

const brief = {
  hook: 'Three things my ferns taught me',
  slides: [
    { text: 'Water ferns from below' },
    { text: '  Ferns hate radiators  ' },
    { text: 'Mist, then wait' },
  ],
  closing: 'I log my ferns in Pebblo',
};

describe('POST /v1/content with brief.slides', () => {
  it('201 with the given texts word for word, no text model asked, 1 credit', async () => {
    const before = await balance();
    const answer = await create({ ...brief, caption: '', hashtags: ['#ferns'], templateId: 'quote-card' });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      status: 'ready',
      costCharged: 1,
      writer: { kind: 'given', name: 'given', repaired: false, because: null },
      brief: { ...brief, ctaMode: 'soft' },
      result: {
        hook: brief.hook,
        hookOptions: [brief.hook],
        bodySlides: brief.slides,
        ctaSoft: brief.closing,
        ctaHard: brief.closing,
        caption: '',
        hashtags: ['#ferns'],
      },
    });
    expect(dataOf<Content>(answer).images).toHaveLength(5);
    expect(await balance()).toBe(before - 1);
  });

  it('makes a missing caption and missing hashtags from the texts', async () => {
    const { result } = dataOf<Content>(await create(brief));
    expect(result).toMatchObject({
      caption: `${brief.hook}\n\n${brief.closing}`,
      hashtags: ['#ferns', '#three', '#things'],
    });
    const japanese = {
      hook: '観葉植物の育て方',
      slides: [{ text: '植物は水をやりすぎない' }, { text: '植物に光を' }],
    };
    const { result: other } = dataOf<Content>(await create(japanese));
    expect(other?.hashtags[0]).toBe('#植物');
  });

  it('has no closing slide without closing, and can be sent again as the record says it', async () => {
    const { closing: _, ...open } = brief;
    const content = dataOf<Content>(await create({ ...open, templateId: 'quote-card' }));
    expect(content.brief?.ctaMode).toBe('none');
    expect(content.images).toHaveLength(4);
    expect((await create(content.brief)).status).toBe(201);
  });

  it('an edit changes given texts like others', async () => {
    const { id } = dataOf<Content>(await create({ ...brief, templateId: 'quote-card' }));
    const edited = await under.service.call('PATCH', `/v1/content/${id}`, {
      caller,
      body: { hook: 'Four things my ferns taught me' },
    });
    expect(dataOf(edited)).toMatchObject({
      version: 2,
      writer: { kind: 'given' },
      result: { hookOptions: ['Four things my ferns taught me'], bodySlides: brief.slides },
    });
  });

  it.each([
    [
      { hook: undefined },
      'brief.hook is required and must be the text of the first slide, since slides are given',
    ],
    [{ topic: 'ferns' }, 'brief.topic must be left out where slides are given'],
    [{ archetype: 'listicle' }, 'brief.archetype must be left out where slides are given'],
    [{ ctaMode: 'none' }, 'brief.ctaMode must be soft or direct, or left out, with closing'],
    [{ closing: undefined, ctaMode: 'soft' }, 'brief.ctaMode must be none, or left out, without closing'],
    [
      { slideCount: 4 },
      'brief.slideCount must be 5, the number of given slides with the hook and the closing one, or left out',
    ],
    [{ slides: [] }, 'brief.slides must be a list of 1 to 33 slides'],
    [{ slides: Array(34).fill({ text: 'x' }) }, 'brief.slides must be a list of 1 to 33 slides'],
    [
      { slides: [{ text: 'a' }, { text: ' ' }] },
      'brief.slides[1].text must be a text of 1 to 300 characters that is not blank',
    ],
    [
      { slides: [{ text: 'x'.repeat(301) }] },
      'brief.slides[0].text must be a text of 1 to 300 characters that is not blank',
    ],
    [{ slides: undefined }, 'brief.closing must be left out, or slides given too'],
    [
      { slides: undefined, closing: undefined, caption: 'x' },
      'brief.caption must be left out, or slides given too',
    ],
    [{ hashtags: ['ferns'] }, 'brief.hashtags[0] must be a hashtag of 2 to 100 characters with a leading #'],
  ])('400 naming the field for %j', async (change, message) => {
    const answer = await create({ ...brief, ...change });
    expect([answer.status, codeOf(answer), messageOf(answer)]).toEqual([400, 'invalid_request', message]);
  });

  it.each([
    ['brief.hook', { hook: '\u{1e900}\u{1e901}' }],
    ['brief.slides[1].text', { slides: [{ text: 'a' }, { text: '\u{1e900}\u{1e901}' }] }],
    ['brief.closing', { closing: '\u{1e900}\u{1e901}' }],
  ])(
    '400 naming %s where it cannot be drawn, nothing charged, and the key is free',
    async (field, change) => {
      const before = await balance();
      const refused = await create({ ...brief, ...change, templateId: 'quote-card' }, `key ${field}`);
      expect([refused.status, messageOf(refused)]).toEqual([
        400,
        expect.stringMatching(/^brief\S+ cannot be drawn: /),
      ]);
      expect(messageOf(refused).split(' ')[0]).toBe(field);
      expect(await balance()).toBe(before);
      expect((await create(brief, `key ${field}`)).status).toBe(201);
    },
  );

  it('draws 33 slides of 300 characters', { timeout: 60_000 }, async () => {
    const sentence = 'Ein Tag 👩‍👩‍👧‍👦 mit 🏳️‍🌈 und 👍🏽 am Fluss ';
    const text = [...sentence.repeat(20)].slice(0, 299).join('').trimEnd().padEnd(300, '.');
    const slides = Array.from({ length: 33 }, () => ({ text }));
    const answer = await create({
      hook: text,
      slides,
      closing: text,
      slideCount: 35,
      templateId: 'quote-card',
    });
    expect([answer.status, messageOf(answer)]).toEqual([201, '']);
    const content = dataOf<Content>(answer);
    expect([content.status, content.images.length]).toEqual(['ready', 35]);
    expect(content.result?.bodySlides).toEqual(slides);
  });
});
