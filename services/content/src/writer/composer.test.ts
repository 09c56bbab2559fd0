import { archetypes, ctaModes } from '@hookline/shared/contracts/content';
import { describe, expect, it } from 'vitest';
import listings from '../../data/sample-listings.json' with { type: 'json' };
import { findPromisedCount } from '../rules/count-promise.ts';
import { planDeck } from '../rules/deck-plan.ts';
import { composeDeck, composer } from './composer.ts';
import { similarityOf } from './distinct.ts';
import type { MaterialSource } from './material.ts';
import { type WriteRequest, WritingRefused } from './port.ts';
import { seedHooksMax, writeSeedHooks } from './seed-hooks.ts';
import { hasBannedPhrase } from './text-filters.ts';

const apps = listings.map(
  ({ name, description, category, store }): MaterialSource => ({
    name,
    description,
    category,
    country: 'us',
    store: store as 'apple' | 'google',
  }),
);
const seeds = Array.from({ length: 20 }, (_, i) => `content_${i}`);
const pebblo = apps[0]!;

/** Everything that a script can say about a deck (the judging table of the writing guide). */
function faultsOf(request: WriteRequest): string[] {
  const { result } = composeDeck(request);
  const { hook, hookOptions, bodySlides, ctaSoft, ctaHard, caption, hashtags } = result;
  const bodies = bodySlides.map(slide => slide.text);
  const plan = planDeck(request.brief);
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) =>
    holds || faults.push(`${fault}: ${JSON.stringify(result)}`);
  check(bodies.length === plan.bodyCount, 'body count');
  check(new Set(bodies).size === bodies.length, 'repeated slide');
  const own = [
    ...bodies,
    ctaSoft,
    ctaHard,
    caption,
    ...(request.brief.hook === undefined ? hookOptions : []),
  ];
  for (const text of own) {
    check(!hasBannedPhrase(text), `banned phrase in "${text}"`);
    check(!/[{}]| {2}|undefined|null|\(\(/.test(text), `empty slot in "${text}"`);
    check(!/\b1 \w+s\b|\ba [aeio]\w|\b(the the|a a)\b/i.test(text), `grammar of "${text}"`);
  }
  for (const text of bodies) {
    const words = text.split(/\s+/).length;
    check(words >= 3 && words <= 32 && text.length <= 180, `measure of "${text}"`);
    check(/[.!?]["”]?$/.test(text), `not a whole sentence "${text}"`);
    check(!text.toLowerCase().includes('download'), `advert in "${text}"`);
  }
  for (const [i, one] of bodies.entries()) {
    for (const other of bodies.slice(i + 1))
      check(similarityOf(one, other) < 0.6, `alike: "${one}" "${other}"`);
  }
  check(hookOptions[0] === hook, 'chosen hook is not first');
  if (request.brief.hook === undefined) {
    check(hookOptions.length >= 3 && hookOptions.length <= 5, 'number of hook options');
    check(new Set(hookOptions).size === hookOptions.length, 'hook options repeat');
    for (const option of hookOptions) {
      const promised = findPromisedCount(option);
      check(promised === null || promised === bodies.length, `count of "${option}"`);
      check(option.length <= 80 && option.split(/\s+/).length <= 14, `measure of "${option}"`);
    }
    const isList = request.brief.archetype === 'listicle' && bodies.length >= 2;
    check(!isList || findPromisedCount(hook) === bodies.length, 'listicle without a count');
  } else check(hook === request.brief.hook && hookOptions.length === 1, 'given hook changed');
  check(
    hashtags.length >= 3 && hashtags.length <= 5 && new Set(hashtags).size === hashtags.length,
    'hashtags',
  );
  for (const tag of hashtags) check(/^#[\p{L}\p{N}\p{M}_]{2,30}$/u.test(tag), `hashtag ${tag}`);
  check(caption.length >= 60 && caption.length <= 400 && caption !== hook, 'caption');
  check(ctaSoft.split(/\s+/).length <= 24 && ctaHard.split(/\s+/).length <= 14, 'closing lines');
  return faults;
}

describe('the composer', () => {
  it.each(apps.map(app => [app.name, app]))('writes faultless decks for %s', (_, app) => {
    const faults: string[] = [];
    for (const archetype of archetypes) {
      for (const ctaMode of ctaModes) {
        for (const [i, seed] of seeds.entries()) {
          // Every slideCount of 2 to 10 comes up twice among the 20 seeds.
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
      expect(hooks.length).toBeLessThanOrEqual(seedHooksMax);
      expect(new Set(hooks).size).toBe(hooks.length);
      expect(writeSeedHooks(app as MaterialSource, String(name))).toEqual(hooks);
      expect(hooks.filter(hasBannedPhrase)).toEqual([]);
    },
  );
});
