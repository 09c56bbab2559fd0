import { describe, expect, it } from 'vitest';
import { readAnswer } from './answer.ts';
import { findForeignName, isForeignBrand, wordsOf } from './foreign-names.ts';
import { findBrokenTextRules } from './text-rules.ts';

const rules = {
  appName: 'Pebblo',
  known: wordsOf('Pebblo habits for nurses in Utrecht, with Apple Watch'),
  language: 'en',
};

describe('findForeignName', () => {
  it.each([
    'Pebblo keeps it small',
    'Start on Monday. Then rest.',
    'Ask the nurses in Utrecht, I mean it',
    'POV: You open the fridge',
    'A rule: “Small counts.” Then (Maybe) rest',
    'It is on the App Store, and on Google Play',
    '7 habits. 3 of them last – Two do not',
  ])('finds none in %j', text => expect(findForeignName(text, rules)).toBeNull());

  it.each([
    ['It works like Zoomly does', 'Zoomly'],
    ['Ask Maria from accounting', 'Maria'],
    ['ChatGPT wrote this list', 'ChatGPT'],
    ['Duolingo does it too', 'Duolingo'],
    ['Log it on your Apple Watch', 'Apple Watch'],
    ['Better with fooBar', 'fooBar'],
    ['Next stop: moving to Berlin', 'Berlin'],
  ])('finds the name in %j', (text, name) => expect(findForeignName(text, rules)).toBe(name));

  it('knows that German writes nouns with a capital, and still finds brands', () => {
    const german = { ...rules, language: 'de' };
    expect(findForeignName('Der Plan für müde Tage', german)).toBeNull();
    expect(findForeignName('Wie bei Spotify', german)).toBe('Spotify');
  });

  it('lets an app carry its own name, even when it is on the list', () => {
    expect(findForeignName('In Strava you can rest', { ...rules, appName: 'Strava' })).toBeNull();
    expect([isForeignBrand('Strava', 'Strava'), isForeignBrand('strava', 'Pebblo')]).toEqual([false, true]);
  });
});

describe('findBrokenTextRules', () => {
  const deck = {
    archetype: 'listicle' as const,
    ctaMode: 'soft' as const,
    language: 'en',
    result: {
      hook: '2 small rules for nurses',
      hookOptions: ['2 small rules for nurses', '2 quiet habits that last', '2 easy swaps for nights'],
      bodySlides: [
        { text: 'Put the kettle on before any message.' },
        { text: 'Write one line on paper tonight.' },
      ],
      ctaSoft: 'In Pebblo you can rest without a lost streak.',
      ctaHard: 'Try Pebblo tonight.',
      caption: 'Two lines for a night that asks too much of you.',
      hashtags: ['#night', '#rest', '#habits'],
    },
  };
  const judge = (
    change: Partial<typeof deck.result>,
    ctaMode: 'soft' | 'direct' | 'none' = 'soft',
    brief = {},
  ) =>
    findBrokenTextRules({ ...deck, ctaMode, result: { ...deck.result, ...change } }, { ...rules, brief }).map(
      ({ where, rule }) => `${where} ${rule}`,
    );

  it('finds nothing in a good deck', () => expect(judge({})).toEqual([]));

  it.each([
    'Read www.win.example for more of this',
    'Read it at win.io when you can',
    'Ask @pebblo_app for the rest of it',
    'Go to https://win.example',
  ])('names the link in %j', caption =>
    expect(judge({ caption })).toContain('caption must have no link, address or handle'),
  );

  it.each(['A <b>bold</b> claim for you', 'Keep **this** one idea tonight', 'Hello {name}, rest tonight'])(
    'names the markup in %j',
    ctaSoft => expect(judge({ ctaSoft }).join()).toContain('ctaSoft must be plain text'),
  );

  it('keeps the app out of hooks, and of everything but the closing lines with none', () => {
    const named = { hookOptions: ['2 rules for Pebblo nights', ...deck.result.hookOptions.slice(1)] };
    expect(judge(named)).toEqual(['hookOptions[0] must not name the app']);
    expect(judge(named, 'direct')).toEqual([]);
    const caption = 'Pebblo has two lines for a night that asks too much.';
    expect(judge({ caption }, 'none')).toEqual(['bodySlides and caption must not name the app']);
    expect(judge({ ctaHard: 'Try it tonight.' })).toEqual(['ctaHard must name the app, "Pebblo", once']);
  });

  it('does not judge a given hook: it is the caller’s', () => {
    const hook = 'Unlock https://win.example with Zoomly';
    expect(judge({ hook, hookOptions: [hook] }, 'soft', { hook })).toEqual([]);
  });

  it('names other brands among the hashtags', () => {
    expect(judge({ hashtags: ['#night', '#strava', '#rest'] })).toEqual([
      'hashtags[1] must be # and 2 to 30 letters or digits, no brand name',
    ]);
    expect(judge({ hashtags: ['#night'] })).toEqual(['hashtags must be 3 to 5 different ones']);
  });
});

describe('readAnswer', () => {
  const answer = {
    language: 'EN_us',
    hookOptions: ['  **A** hook\nhere '],
    bodySlides: ['1. First  line', '- Second\u0007line', '3 lines'],
    ctaSoft: 'soft',
    ctaHard: 'direct',
    caption: 'A caption #tag',
    hashtags: ['night shift', '#Night-Shift', '#rest', '!!'],
  };
  const tidied = {
    language: 'en-US',
    hookOptions: ['A hook here'],
    bodySlides: ['First line', 'Second line', '3 lines'],
    ctaSoft: 'soft',
    ctaHard: 'direct',
    caption: 'A caption',
    hashtags: ['#nightshift', '#rest'],
  };
  const json = JSON.stringify(answer);

  it.each([json, `\`\`\`json\n${json}\n\`\`\``, `<think>{"a":1}</think>Here: ${json} Enjoy.`])(
    'reads and tidies what is only form (%#)',
    text => expect(readAnswer(text)).toEqual(tidied),
  );

  it.each(['', 'no', '{}', '[]', '{"bodySlides": "x"}', json.slice(0, -5), `{"a": ${json}}`])(
    'is null for %j',
    text => expect(readAnswer(text)).toBeNull(),
  );

  it('says en for a language that is none', () => {
    expect(readAnswer(JSON.stringify({ ...answer, language: 'no such thing' }))?.language).toBe('en');
  });
});
