import { findPromisedCount } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { countEntries, textsOfPack } from '../eval/pack-texts.ts';
import { openingOf, similarityMax, similarityOf } from './distinct.ts';
import { fillFrame, writtenLanguages } from './frames.ts';
import { isGoodHook } from './hook-measure.ts';
import { choosePack, type Entry, loadPacks, type Pack } from './packs.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';

const textOf = (entry: Entry) => (typeof entry === 'string' ? entry : entry.text);
const allPacks = writtenLanguages.flatMap(language =>
  loadPacks(language).map((pack): [string, string, Pack] => [language, pack.id, pack]),
);

it('knows at least 14 categories in English, each with 25 entries or more of every kind', () => {
  const categories = loadPacks().filter(({ id }) => id !== 'default');
  expect(categories.length).toBeGreaterThanOrEqual(14);
  const thin = loadPacks().flatMap(pack =>
    Object.entries(countEntries(pack))
      .filter(([, count]) => count < 25)
      .map(([kind, count]) => `${pack.id} ${kind}: ${count}`),
  );
  expect(thin).toEqual([]);
});

describe.each(allPacks)('%s phrase pack %s', (language, _, pack) => {
  const bodies = textsOfPack(pack);
  const units = [...pack.lessons, ...pack.changes, ...pack.scenes, ...pack.sparks];
  const hooks = [...pack.hooks.plain.map(textOf), ...units.flatMap(unit => unit.hooks)];
  const captions = [
    ...pack.captions.map(textOf),
    ...[...pack.lists, ...units].flatMap(unit => unit.captions),
  ];
  const isWritable = (text: string) => !hasBannedPhrase(text) && !hasClaim(text);

  it('has whole sentences of 3 to 32 words and at most 180 characters', () => {
    for (const text of bodies) {
      const words = text.split(/\s+/).length;
      expect([text, words >= 3 && words <= 32 && text.length <= 180]).toEqual([text, true]);
      expect(text).toMatch(/^["„“¿¡\p{Lu}\d].*[.!?]["”]?$/u);
      expect(text).not.toMatch(/ {2}|\{|\b(\w+) \1\b/i);
    }
  });

  it('has no units in which one slide begins like the next, and nobody in them says "I"', () => {
    const orders = [
      ...pack.lessons.map(({ belief, why, rule, example, limit }) => [belief, why, rule, example, limit]),
      ...pack.changes.map(({ old, turn, steps, still }) => [...old, turn, ...steps, still]),
      ...pack.sparks.map(({ recognise, lower, build, today }) => [recognise, lower, ...build, today]),
    ];
    const alike = orders.flatMap(texts =>
      texts.filter((text, i) => i > 0 && openingOf(text) === openingOf(texts[i - 1]!)),
    );
    expect(alike).toEqual([]);
    const unquoted = bodies.map(text => text.replace(/["“„][^"”“]*["”“]/g, ''));
    expect(unquoted.filter(text => language === 'en' && /\b(?:I|my|mine)\b/.test(text))).toEqual([]);
  });

  it('uses no banned phrase', () => {
    const all = [...bodies, ...hooks, ...captions, ...pack.soft.map(textOf), ...pack.direct.map(textOf)];
    expect(all.filter(text => !isWritable(text))).toEqual([]);
  });

  it('has no two texts that say the same', () => {
    for (const [i, one] of bodies.entries()) {
      for (const other of bodies.slice(i + 1))
        expect([one, other, similarityOf(one, other) < 0.6]).toContain(true);
    }
  });

  it('has hooks of the right measure, that promise a count only where one is filled in', () => {
    expect(hooks.filter(hook => !isGoodHook(hook) || findPromisedCount(hook) !== null)).toEqual([]);
    for (const template of pack.hooks.listicle.map(textOf)) {
      const hook = fillFrame(template, { n: 7, aud: textOf(pack.audiences[0]!) });
      expect([hook, findPromisedCount(hook), isGoodHook(hook)]).toEqual([hook, 7, true]);
    }
  });

  it('has lists whose hooks keep their count with whomever they are said to', () => {
    for (const template of pack.lists.flatMap(list => list.hooks)) {
      const people = template.includes('{aud}') ? pack.audiences.map(textOf) : [''];
      for (const n of [3, 7, 10]) {
        const filled = people.map(aud => fillFrame(template, { n, aud }));
        expect(filled.filter(hook => findPromisedCount(hook) !== n || !isWritable(hook))).toEqual([]);
        expect([template, filled.some(isGoodHook)]).toEqual([template, true]);
      }
    }
    expect(pack.lists.filter(({ when }) => when.length === 0).length).toBeGreaterThanOrEqual(3);
  });

  it('has lists of eight slides or more, of which any may stand beside any other', () => {
    for (const { hooks, points } of pack.lists) {
      expect([hooks[0], hooks.length >= 3, points.length >= 8]).toEqual([hooks[0], true, true]);
      expect(new Set(points.map(openingOf)).size).toBe(points.length);
      for (const [i, one] of points.entries())
        for (const other of points.slice(i + 1))
          expect([one, other, similarityOf(one, other) < similarityMax]).toContain(true);
    }
  });

  it('has units for listings that name nothing special', () => {
    for (const group of [pack.lessons, pack.changes, pack.scenes, pack.sparks]) {
      const hasGeneral = group.some(unit => unit.when.length === 0);
      expect(hasGeneral).toBe(true);
    }
    for (const unit of units) expect(unit.hooks.length).toBeGreaterThanOrEqual(3);
    for (const change of pack.changes) expect([change.old.length, change.steps.length]).toEqual([2, 3]);
    for (const spark of pack.sparks) expect(spark.build.length).toBe(3);
    for (const scene of pack.scenes) expect(scene.beats).toEqual(scene.beats.toSorted());
  });

  it('has captions of 60 to 220 characters, some for every deck, none twice, and valid hashtags', () => {
    for (const caption of captions) {
      expect([caption, caption.length >= 60 && caption.length <= 220]).toEqual([caption, true]);
    }
    expect(new Set(captions).size).toBe(captions.length);
    const silent = [...pack.lists, ...units].filter(unit => unit.captions.length === 0);
    expect(silent.map(unit => unit.hooks[0])).toEqual([]);
    for (const tag of pack.hashtags.map(textOf)) expect(tag).toMatch(/^#[\p{Ll}\p{N}]{2,30}$/u);
  });
});

describe('choosePack', () => {
  it.each([
    ['Health & Fitness', 'a gym log for your training', '', 'fitness'],
    ['MEDICAL', 'ticks off your medication and vitamins', '', 'selfcare'],
    ['Health & Fitness', 'counts mugs, also that of the gym', '', 'default'],
    ['HOUSE_AND_HOME', 'plants', '', 'home'],
    ['GAME_WORD', 'letters', '', 'games'],
    ['Food & Drink', '', '', 'food'],
    ['Lifestyle', 'a diary with a line a day and prompts', '', 'journal'],
    ['Lifestyle', 'quiet bedtime stories', '', 'sleep'],
    ['Lifestyle', 'fall asleep to the weather of elsewhere: fog, snow', '', 'sleep'],
    ['HOUSE_AND_HOME', 'washing symbols, also for the child, the children and their parents', '', 'home'],
    [
      'HOUSE_AND_HOME',
      'a carpet catalogue for the child, the children, kids and their parents',
      '',
      'default',
    ],
    ['TOOLS', 'photograph each hive', '', 'default'],
    ['TOOLS', 'delete duplicate photos', '', 'utilities'],
    ['MAPS_AND_NAVIGATION', 'find a parking lot maps_and_navigation', '', 'default'],
    ['Navigation', 'a boat log for every harbour on your trip', '', 'travel'],
    ['Lifestyle', 'find a tattoo studio', '', 'default'],
    ['Travel', 'book a boat', '', 'travel'],
    ['Lifestyle', 'a seating plan for the wedding', '', 'events'],
    ['BOOKS_AND_REFERENCE', 'scan the isbn and see which books are lent out', '', 'books'],
    ['Social Networking', 'talk to neighbours', '', 'default'],
    ['Medical', 'every date for the vet, for dogs and cats', '', 'pets'],
    [null, '', '', 'default'],
    ['Productivity', 'notes', 'weeknight dinner recipes', 'food'],
  ])('%s, %j, topic %j -> %s', (category, haystack, topic, id) => {
    expect(choosePack(category, haystack, topic).id).toBe(id);
  });
});
