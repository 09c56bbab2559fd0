import { compileAvoidedWords } from '@hookline/deck';
import { archetypes, ctaModes } from '@hookline/shared/contracts/brief';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { describe, expect, it } from 'vitest';
import { type Listing, sourceOf } from '../eval/decks.ts';
import { judgeDeck } from '../eval/judge.ts';
import messy from '../eval/listings/messy.json' with { type: 'json' };
import listings from '../eval/listings/sample.json' with { type: 'json' };
import tuned from '../eval/listings/tuned.json' with { type: 'json' };
import { findAvoidedWord } from './avoided-words.ts';
import { guardBrief } from './brief-guard.ts';
import { composeDeck, composer, composeWithTrace } from './composer.ts';
import { fillLines, getLines } from './lines.ts';
import { extractMaterial, type MaterialSource } from './listing/material.ts';
import { type WriteRequest, WritingRefused } from './port.ts';
import { writeSeedHooks } from './seed-hooks.ts';
import { hasBannedPhrase } from './text-filters.ts';

const apps = listings.map(sourceOf);
const seeds = Array.from({ length: 20 }, (_, i) => `content_${i}`);
const pebblo = apps[0]!;

/** Every fault of a deck that a script can find, by the gallery's questions. */
function faultsOf(request: WriteRequest): string[] {
  const deck = composeDeck(request);
  return judgeDeck(request, deck)
    .filter(({ fault }) => fault !== null)
    .map(({ question, about, fault }) => `${question} ${about}: ${fault}`);
}

describe('the composer', () => {
  it.each(apps.map(app => [app.name, app]))('writes faultless decks for %s', (_, app) => {
    const faults: string[] = [];
    for (const archetype of archetypes) {
      for (const ctaMode of ctaModes) {
        for (const [i, seed] of seeds.entries()) {
          // Every slideCount from 2 to 10 occurs twice among the 20 seeds.
          const slideCount = 2 + (i % 9);
          faults.push(
            ...faultsOf({ seed, app: app as MaterialSource, brief: { archetype, ctaMode, slideCount } }),
          );
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it.each([1, 2, 5, 12, 20, 33, 40])(
    'fills a given hook that promises %i, with every archetype and listing',
    count => {
      const hook = count === 1 ? '1 rule for a calm week' : `${count} ways to use a lemon`;
      const faults = apps.flatMap(app =>
        archetypes.flatMap(archetype => [
          ...faultsOf({ seed: 'content_x', app, brief: { archetype, hook } }),
          ...faultsOf({
            seed: 'content_x',
            app,
            brief: { archetype, hook, templateId: 'quote-card', ctaMode: 'none' },
          }),
        ]),
      );
      expect(faults).toEqual([]);
    },
  );

  it('leaves the app out of every slide and the caption with ctaMode none', () => {
    for (const app of apps) {
      for (const archetype of archetypes) {
        for (const seed of seeds) {
          const { result } = composeDeck({ seed, app, brief: { archetype, ctaMode: 'none' } });
          const shown = [
            ...result.hookOptions,
            ...result.bodySlides.map(slide => slide.text),
            result.caption,
          ].join('\n');
          const name = app.name.split(/[:–-]/)[0]!.trim().toLowerCase();
          expect(shown.toLowerCase()).not.toContain(name);
        }
      }
    }
  });

  it.each([
    ['12 apps', apps],
    ['one app', [pebblo]],
  ])(
    'over 200 decks of %s no hook template makes more than a twentieth, and no slide comes twice in a deck',
    (_, some) => {
      const templates = new Map<string, number>();
      const slides = new Map<string, number>();
      for (let i = 0; i < 200; i++) {
        const app = some[i % some.length]!;
        const { deck, skeletons } = composeWithTrace({ seed: `content_${i}`, app, brief: {} });
        const bodies = deck.result.bodySlides.map(({ text }) => text);
        expect(new Set(bodies).size).toBe(bodies.length);
        templates.set(skeletons[0]!, (templates.get(skeletons[0]!) ?? 0) + 1);
        const { sentences, features } = extractMaterial(app);
        // A deck about the app is made of the few lines of its listing, in any order.
        const lines = [...sentences, ...features.map(feature => feature.text)];
        const isQuoted = (text: string) => lines.some(line => text.includes(line.replace(/[.!?]$/, '')));
        for (const text of bodies) if (!isQuoted(text)) slides.set(text, (slides.get(text) ?? 0) + 1);
      }
      expect([...templates].filter(([, count]) => count > 10)).toEqual([]);
      // A sentence of ours may reappear in another deck: in 15 of 100 decks of one app, in 4 of 100 across
      // twelve.
      const often = some.length === 1 ? 30 : 8;
      expect([...slides].filter(([, count]) => count > often)).toEqual([]);
    },
  );

  it('writes the same deck for the same seed, another for another', () => {
    const write = (seed: string) => composeDeck({ seed, app: pebblo, brief: {} });
    expect(write('content_1')).toEqual(write('content_1'));
    expect(new Set(seeds.map(seed => JSON.stringify(write(seed)))).size).toBeGreaterThan(15);
  });

  it('keeps a given hook byte for byte', async () => {
    const hook = '  7 habits\u00a0that   outlast “motivation” 🌱 ';
    const { result } = await composer.write({ seed: 'content_1', app: pebblo, brief: { hook } });
    expect(result.hook).toBe(hook);
    expect(result.hookOptions).toEqual([hook]);
    expect(result.bodySlides).toHaveLength(7);
  });

  it('writes a deck of the archetype of a seed hook, about the app', () => {
    for (const hook of writeSeedHooks(pebblo, 'pebblo')) {
      const { deck, subject } = composeWithTrace({ seed: hook, app: pebblo, brief: { hook } });
      expect([hook, subject.form]).toEqual([hook, 'kind']);
      if (hook.startsWith('POV')) expect(deck.archetype).toBe('pov_results');
      else if (/\d/.test(hook)) expect(deck.archetype).toBe('listicle');
    }
  });

  it('chooses other sentences where one has an avoided word', () => {
    const avoidWords = ['rest', 'app', 'streak', 'small', 'one', 'After', 'week', 'apps'];
    const avoided = compileAvoidedWords(avoidWords);
    for (const brief of [{}, { topic: 'jet lag' }, { ctaMode: 'direct' as const, slideCount: 10 }]) {
      const textsOf = (words: string[]) =>
        seeds.flatMap(seed => {
          const { result } = composeDeck({ seed, app: pebblo, brief, avoidWords: words });
          const { hookOptions, bodySlides, ctaSoft, ctaHard, caption, hashtags } = result;
          return [
            ...hookOptions,
            ...bodySlides.map(({ text }) => text),
            ctaSoft,
            ctaHard,
            caption,
            ...hashtags,
          ];
        });
      expect(textsOf([]).some(text => avoided.test(text))).toBe(true);
      expect(textsOf(avoidWords).filter(text => avoided.test(text))).toEqual([]);
    }
  });

  it('writes from another seed where a deck has no other sentences', async () => {
    // Some archetypes cannot do without it.
    const avoidWords = ['is'];
    const brief = { archetype: 'transformation' as const };
    const isFree = (result: SlideshowResult) => findAvoidedWord(result, avoidWords, false) === null;
    const once = seeds.filter(seed => isFree(composeDeck({ seed, app: pebblo, brief, avoidWords }).result));
    const written = await Promise.all(
      seeds.map(seed => composer.write({ seed, app: pebblo, brief, avoidWords })),
    );
    expect(once.length).toBeLessThan(seeds.length);
    expect(written.every(({ result }) => isFree(result))).toBe(true);
    const guarded = guardBrief(composer).write({ seed: 'a', app: pebblo, brief: {}, avoidWords: ['Pebblo'] });
    await expect(guarded).rejects.toMatchObject({ code: 'avoided_words' });
  });

  it('takes any other given hook as the topic', () => {
    const about = (hook: string) => {
      const { subject } = composeWithTrace({ seed: 'content_1', app: pebblo, brief: { hook } });
      return [subject.form, subject.slots.about];
    };
    expect(about('40 ways to use a lemon')).toEqual(['howTo', 'how to use a lemon']);
    expect(about('5 signs of burnout')).toEqual(['problem', 'burnout']);
    expect(about('Morning routines: 4 small steps')).toEqual(['noun', 'morning routines']);
  });

  it.each([
    ['how to pay off student loans', 'TuneLadder – Guitar Tuner'],
    ['holiday gifts for dads', 'Softlight: Photo Editor'],
    ['oat milk vs soy milk', 'Waitwell: Clinic Waiting Room'],
    ['is it worth repairing old clothes?', 'Allotment Diary'],
  ])('names the topic "%s" and not the app on the slides of %s', (topic, name) => {
    const app = sourceOf(tuned.find(listing => listing.name === name)!);
    for (const seed of seeds) {
      const { deck, subject } = composeWithTrace({ seed, app, brief: { topic, slideCount: 7 } });
      const bodies = deck.result.bodySlides.map(({ text }) => text);
      const parts = Object.values(subject.slots).map(part => String(part).toLowerCase());
      // The sentences of a field are about nothing else, and need not repeat what the cover says.
      const ofField = bodies.filter(text =>
        fillLines(subject.field?.lines, subject.field?.slots ?? {}).some(line =>
          text.toLowerCase().endsWith(line.text.toLowerCase()),
        ),
      );
      const naming = bodies.filter(text => parts.some(part => text.toLowerCase().includes(part)));
      const isAbout = subject.field ? ofField.length === bodies.length : naming.length > 0;
      expect([bodies, isAbout]).toEqual([bodies, true]);
      expect(bodies.filter(text => text.includes(subject.kind.kind))).toEqual([]);
    }
  });

  it.each(messy.map(listing => [listing.name, listing]))(
    'writes a deck about %s from nothing but its listing, without tags that fit every deck',
    (_, listing) => {
      const app = sourceOf(listing as Listing);
      const { features, sentences, pitch, language, name } = extractMaterial(app);
      const told = [...features.map(({ text }) => text), ...sentences, pitch ?? name.short].map(text =>
        text.replace(/[.!?]$/, ''),
      );
      const fillers = getLines(language).hashtags;
      for (const seed of seeds) {
        const { result } = composeDeck({ seed, app, brief: {} });
        for (const { text } of result.bodySlides) {
          expect([text, told.some(line => text.includes(line))]).toEqual([text, true]);
        }
        const isFilled = result.hashtags.some(tag => fillers.includes(tag));
        expect([result.hashtags, isFilled && result.hashtags.length > 3]).toEqual([result.hashtags, false]);
      }
    },
  );

  it('gives a topic about the app’s own job that no field knows the lines of the listing, and says so', () => {
    const app = sourceOf(messy.find(({ name }) => name.startsWith('TabSplit'))! as Listing);
    const { deck, subject } = composeWithTrace({
      seed: 'a',
      app,
      brief: { topic: 'splitting bills with friends' },
    });
    expect(subject.field).toBeNull();
    const lines = extractMaterial(app).features.map(({ text }) => text);
    for (const { text } of deck.result.bodySlides) expect(lines.some(line => text.includes(line))).toBe(true);
    expect(deck.result.hook).toMatch(/^Splitting bills with friends: .*app/);
  });

  it('begins the hook with a topic that is short enough', () => {
    const brief = { topic: 'morning routines for nurses', archetype: 'listicle' as const };
    const { result } = composeDeck({ seed: 'content_1', app: pebblo, brief });
    expect(result.hook).toMatch(/^Morning routines for nurses: 4 /);
  });

  it('holds out on topics of any kind', () => {
    const topics = [
      'x'.repeat(500),
      '🔥',
      '7 days of $$$',
      'unlock your potential',
      'die Woche planen',
      '朝の習慣',
      '{n} {app}',
    ];
    for (const topic of topics) {
      for (const archetype of archetypes) {
        const { result } = composeDeck({ seed: 'content_1', app: pebblo, brief: { topic, archetype } });
        const generated = [...result.hookOptions, ...result.bodySlides.map(slide => slide.text)].join('\n');
        expect(hasBannedPhrase(generated)).toBe(false);
      }
    }
  });

  it('refuses a topic that it does not write about, with a reason', async () => {
    const refused = composer.write({ seed: 'content_1', app: pebblo, brief: { topic: 'casino tricks' } });
    await expect(refused).rejects.toThrow(WritingRefused);
    await expect(refused).rejects.toThrow(/brief\.topic/);
  });

  it('writes for an app of which nothing is known but the name', () => {
    const app = { name: 'Zed', description: null, category: null, country: null, store: null };
    expect(
      archetypes.flatMap(archetype => faultsOf({ seed: 's', app, brief: { archetype, slideCount: 10 } })),
    ).toEqual([]);
  });
});

describe('writeSeedHooks', () => {
  it.each(apps.map(app => [app.name, app]))(
    'gives %s 10 to 15 distinct hooks, the same each time',
    (name, app) => {
      const hooks = writeSeedHooks(app as MaterialSource, String(name));
      expect(hooks.length).toBeGreaterThanOrEqual(10);
      expect(hooks.length).toBeLessThanOrEqual(15);
      expect(new Set(hooks).size).toBe(hooks.length);
      expect(writeSeedHooks(app as MaterialSource, String(name))).toEqual(hooks);
      expect(hooks.filter(hasBannedPhrase)).toEqual([]);
    },
  );
});

describe('what an app is', () => {
  const kindOf = (name: string, description: string) =>
    composeWithTrace({
      seed: 'content_1',
      app: { name, description, category: 'TOOLS', country: 'us', store: 'google' },
      brief: {},
    }).subject.kind.kind;

  it.each([
    ['Nozzle – 3D Print Log', 'Nozzle remembers which settings worked.', '3D print log'],
    ['Ladle Rota', 'Ladle Rota fills the shifts of a food bank.', 'rota'],
    ['Hedge Diary', 'Hedge Diary remembers when each hedge was cut.', 'hedge diary'],
    ['Rootcellar', 'Rootcellar is a family tree for families who disagree.', 'family tree app'],
    ['Rampway', 'Rampway is a step-free map made by people who roll.', 'step-free map'],
    [
      'Stockkarte: Imkerbuch',
      'Stockkarte ist das Imkerbuch am Bienenstand und für alle Völker.',
      'Imkerbuch-App',
    ],
    [
      'Mitfahrbank: Fahrgemeinschaft',
      'Mitfahrbank bringt die Pendler und Nachbarn im selben Auto zur Arbeit.',
      'Fahrgemeinschafts-App',
    ],
  ])('%s: %s', (name, description, kind) => {
    expect(kindOf(name, description)).toBe(kind);
  });
});
