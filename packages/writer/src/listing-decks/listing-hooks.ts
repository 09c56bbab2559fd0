import { findPromisedCount } from '@hookline/deck';
import { slotsOf } from '../frames.ts';
import type { DraftedHook } from '../hook-frames.ts';
import { lowerFirst } from '../listing/features.ts';
import { type Activity, getActivities } from './activities.ts';
import { fillAll, goodHooks, slotsFor } from './fill.ts';
import type { ListingRequest } from './listing-request.ts';
import { readSteps, type Step } from './steps.ts';

type Source = Pick<ListingRequest, 'material' | 'language' | 'random'>;

const countsOfSeeds = [4, 5, 6, 7];

/**
 * Covers for what the listing lets people do, grouped by the kind of deck they open: lists, lessons, scenes,
 * changes, sparks.
 */
export function seedCovers({ material, language, random }: Source): DraftedHook[][] {
  const source = { material, language, random };
  const steps = random.shuffle(readSteps(source)).slice(0, 4);
  const covers = (make: (step: Step) => DraftedHook[]) =>
    random.shuffle(steps).flatMap(step => make(step).slice(0, 1));
  const pickUnit = <T>(units: readonly T[]) => random.pick(units);
  if (steps.length === 0) return [];
  const lists = random
    .shuffle(countsOfSeeds)
    .flatMap(count => random.shuffle(countedHooks({ ...source, count }, steps)).slice(0, 1));
  return [
    lists,
    covers(step => unitHooks(source, step, pickUnit(step.activity.lessons).hooks)),
    covers(step => sceneHooks(source, step, pickUnit(step.activity.scenes))),
    covers(step => unitHooks(source, step, pickUnit(step.activity.changes).hooks)),
    covers(step => unitHooks(source, step, pickUnit(step.activity.sparks).hooks)),
  ];
}

/** With at least this many covers that name the listing, the others are left out. */
const enough = 4;

/**
 * Covers of a list: those of its steps' activities, and those of the listing's subject, audience and promise.
 */
export function countedHooks(request: Source & { count: number }, steps: readonly Step[]): DraftedHook[] {
  const { material, language, random, count } = request;
  const { activities, frames } = getActivities(language);
  // "Ways to stop walking in circles" needs more than one step on that subject.
  const isMain = ({ activity }: Step) =>
    steps.filter(other => other.activity === activity).length * 2 > steps.length;
  const slots = slotsFor(material, null, count);
  const fillGood = (templates: readonly string[]) =>
    goodHooks(fillAll(templates, slots, random)).filter(({ text }) => findPromisedCount(text) === count);
  const own = fillGood([...new Set(steps.filter(isMain).flatMap(({ activity }) => activity.lists))]);
  const named = [...own, ...fillGood(frames.lists)];
  const any = activities.find(({ id }) => id === 'any')!;
  return named.length >= enough ? named : [...named, ...fillGood(any.lists)];
}

/** Covers of a unit. A cover that names nothing of the listing is addressed to its audience. */
export function unitHooks(
  { material, language, random }: Source,
  main: Step,
  templates: readonly string[],
): DraftedHook[] {
  const { frames } = getActivities(language);
  const slots = slotsFor(material, main);
  const own = fillAll(templates, slots, random);
  const said = own
    .filter(({ skeleton, text }) => slotsOf(skeleton).length === 0 && !/[.?]/.test(text))
    .flatMap(({ text, skeleton }) => {
      const frame = fillAll(
        frames.said.filter(one => /^\{Hook\}/.test(one)),
        { ...slots, hook: [text] },
        random,
      );
      const after = fillAll(
        frames.said.filter(one => !/^\{Hook\}/.test(one)),
        { ...slots, hook: [language === 'de' ? text : lowerFirst(text, language)] },
        random,
      );
      return random
        .shuffle([...frame, ...after])
        .slice(0, 1)
        .map(hook => ({ ...hook, skeleton }));
    });
  // A list always fulfils the developer's promise; a deck about one step does so only where that step has no
  // specific activity.
  const isKept = main.activity.id === 'any' && random.integer(1, 3) === 1;
  const promises = isKept ? fillAll(frames.promises, slots, random) : [];
  const anchored = own.filter(({ skeleton }) => slotsOf(skeleton).length > 0);
  const named = goodHooks([...promises, ...random.shuffle([...anchored, ...said])]);
  // One deck in four opens with a generic line; naming the audience in all of them would be a mannerism.
  return named.length >= enough && random.integer(1, 4) > 1 ? named : [...named, ...goodHooks(own)];
}

/** Covers of a scene, plain or addressed to the listing's audience. */
export function sceneHooks(
  { material, language, random }: Source,
  main: Step,
  unit: Activity['scenes'][number],
): DraftedHook[] {
  const { saidScenes } = getActivities(language).frames;
  const slots = slotsFor(material, main);
  const plain = fillAll(unit.hooks, slots, random);
  const said = fillAll(unit.said, slots, random).flatMap(({ text, skeleton }) =>
    fillAll(saidScenes, { ...slots, scene: [text] }, random).map(hook => ({ ...hook, skeleton })),
  );
  return goodHooks([...said, ...plain]);
}
