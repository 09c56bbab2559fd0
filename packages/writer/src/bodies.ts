import type { SeededRandom } from '@hookline/deck';
import { closestUnits } from './closest.ts';
import { contentWordsOf, openingOf, takeDistinct } from './distinct.ts';
import { fillFrame, getFrames } from './frames.ts';
import { findByHook } from './given-hook.ts';
import { type DraftedHook, featureSlots, fillCovers, isOrder } from './hook-frames.ts';
import type { Feature } from './listing/features.ts';
import type { Material } from './listing/material.ts';
import { draftListingDeck } from './listing-decks/listing-decks.ts';
import {
  type Change,
  getDefaultPack,
  type Lesson,
  type List,
  listTexts,
  occursIn,
  type Pack,
  type Scene,
  type Spark,
  selectEntries,
  selectUnits,
  type Unit,
} from './packs.ts';
import type { Archetype } from './port.ts';
import { upperFirst } from './upper-first.ts';

export type BodyRequest = {
  archetype: Archetype;
  count: number;
  pack: Pack;
  material: Material;
  language: string;
  /** Listing and topic, lower case; entries are matched against it. */
  haystack: string;
  /** Word from a seed hook or a topic that the advice should begin with. */
  focus: string;
  random: SeededRandom;
};

/** The hooks that fit the bodies, the bodies in order, and captions written for this deck only. */
export type BodyDraft = { hooks: DraftedHook[]; bodies: string[]; captions?: string[] | undefined };

/**
 * The body slides of an archetype. Each archetype has its own structure and voice and can fill any count up
 * to 34.
 */
export function draftBodies(request: BodyRequest): BodyDraft {
  return draftFromListing(request) ?? draftFromPack(request);
}

/** For an app that fits no category: a deck built from the listing's own lines. */
function draftFromListing(request: BodyRequest): BodyDraft | null {
  const { pack, haystack, random, count } = request;
  if (pack.id !== 'default' || count === 0) return null;
  const lines = random.shuffle(listTexts(pack.lines, haystack));
  return draftListingDeck({ ...request, advice: adviceFor(request), lines });
}

function draftFromPack(request: BodyRequest): BodyDraft {
  const { archetype } = request;
  if (archetype === 'transformation') return draftTransformation(request);
  if (archetype === 'pov_results') return draftScene(request);
  if (archetype === 'authority') return draftLesson(request);
  if (archetype === 'motivational') return draftSpark(request);
  return draftList(request);
}

/** The hooks and captions of a unit. */
const coversOf = ({ hooks, captions }: Unit) => ({
  hooks: hooks.map((text): DraftedHook => ({ text, skeleton: text })),
  captions,
});

/** The unit that a given hook was written for, or a random one among those that fit the listing. */
function pickUnit<T extends Unit>(request: BodyRequest, units: readonly T[]): T {
  const { focus, random } = request;
  return findByHook(units, ({ hooks }) => hooks, focus) ?? random.pick(fittingUnits(request, units));
}

/** Drops units that would appear to name an app whose name is made of everyday words ("Shoes On"). */
function fittingUnits<T extends Unit>(
  { haystack, language, material }: BodyRequest,
  units: readonly T[],
): T[] {
  const name = material.name.short.toLowerCase();
  const namesApp = (unit: Unit) =>
    Object.values(unit)
      .flat()
      .some(text => text.toLowerCase().includes(name));
  const closest = closestUnits(units, haystack, language);
  const free = closest.filter(unit => !namesApp(unit));
  return free.length > 0 ? free : closest;
}

function draftList(request: BodyRequest): BodyDraft {
  const list = chooseList(request);
  return list ? draftWrittenList(request, list) : draftAdvice(request);
}

/** One list in this many is general advice addressed to an audience. */
const adviceShare = 6;

/**
 * Null when general advice must do: for a topic that no list was written for, or a count that no list fills.
 */
function chooseList(request: BodyRequest): List | null {
  const { pack, focus, random, count } = request;
  const isLongEnough = ({ points }: List) => count >= 2 && points.length >= count;
  if (focus.trim()) return findByHook(pack.lists, ({ hooks }) => hooks, focus) ?? null;
  const lists = fittingUnits(request, pack.lists).filter(isLongEnough);
  return lists.length === 0 || random.integer(1, adviceShare) === 1 ? null : random.pick(lists);
}

/**
 * Slides of one list in the order they were written, with a line of the listing on the same subject in at
 * most every third slide.
 */
function draftWrittenList(request: BodyRequest, list: List): BodyDraft {
  const { count, random } = request;
  const openings = new Set(list.points.map(openingOf));
  const admitted = featureSlides(request).filter(
    text => list.admits.some(word => occursIn(word, text.toLowerCase())) && !openings.has(openingOf(text)),
  );
  const featuresMax = random.integer(0, Math.floor(count / 3));
  const features = takeDistinct(random.shuffle(admitted), featuresMax, list.points);
  const drawn = new Set(random.shuffle(list.points).slice(0, count - features.length));
  const points = list.points.filter(point => drawn.has(point));
  // A given hook may promise more slides than the list has.
  const missing = count - features.length - points.length;
  const bodies = [...points, ...takeDistinct(adviceFor(request), missing, [...points, ...features])];
  insertInside(bodies, features, random);
  return { hooks: fillCovers(list.hooks, request), bodies, captions: list.captions };
}

/** Advice that is useful without the app, with a line of the listing in at most every third slide. */
function draftAdvice(request: BodyRequest): BodyDraft {
  const { count, random } = request;
  const featuresMax = Math.min(4, Math.floor(count / 3));
  // Two such lines can end up next to each other.
  const opened = new Map(random.shuffle(featureSlides(request)).map(slide => [openingOf(slide), slide]));
  const features = takeDistinct(opened.values(), featuresMax);
  const bodies = takeDistinct(adviceFor(request, new Set(opened.keys())), count - features.length, features);
  insertInside(bodies, features, random);
  return { hooks: [], bodies };
}

/** The listing's lines go inside the list: its first and last slides are for the reader. */
function insertInside(bodies: string[], features: readonly string[], random: SeededRandom): void {
  for (const feature of features)
    bodies.splice(random.integer(1, Math.max(1, bodies.length - 1)), 0, feature);
}

/** Belief, mechanism, rule, example, practice from the listing, limits. */
function draftLesson(request: BodyRequest): BodyDraft {
  const lesson: Lesson = pickUnit(request, request.pack.lessons);
  const { belief, why, rule, example, limit } = lesson;
  const shapes = [[], [rule], [belief, rule], [belief, why, rule], [belief, why, rule, limit]];
  const whole = [belief, why, rule, example, limit];
  const practice = orderSlide(request, getFrames(request.language).practice, whole);
  // With five slides the listing's own example replaces the pack's.
  if (practice !== null)
    whole.splice(request.count > whole.length ? 4 : 3, request.count > whole.length ? 0 : 1, practice);
  const structure = shapes[request.count] ?? whole;
  return {
    ...coversOf(lesson),
    bodies: insertAdvice(request, structure, structure.length - 1),
  };
}

/** The old way, the turn, the steps, and what is still imperfect. */
function draftTransformation(request: BodyRequest): BodyDraft {
  const change: Change = pickUnit(request, request.pack.changes);
  const [before = '', worse = ''] = change.old;
  const [first = '', second = '', third = ''] = change.steps;
  const { turn, still } = change;
  const shapes = [
    [],
    [turn],
    [before, turn],
    [before, turn, first],
    [before, turn, first, still],
    [before, turn, first, second, still],
    [before, worse, turn, first, second, still],
  ];
  const own = orderSlide(request, getFrames(request.language).change, [
    ...change.old,
    turn,
    ...change.steps,
    still,
  ]);
  // A step of the new way that the listing itself names.
  const whole = [before, worse, turn, first, own ?? second, own ? second : third, still];
  if (own && request.count >= 5) shapes[5] = [before, turn, first, own, still];
  if (own && request.count >= 6) shapes[6] = [before, worse, turn, first, own, still];
  return {
    ...coversOf(change),
    bodies: insertAdvice(request, shapes[request.count] ?? whole, whole.length - 1),
  };
}

/** Moments in chronological order, then what made them possible. */
function draftScene(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const units = selectUnits(pack.scenes, haystack);
  const scene: Scene = pickUnit(request, pack.scenes);
  if (count === 0) return { ...coversOf(scene), bodies: [] };
  if (count === 1) return { ...coversOf(scene), bodies: [showClock(scene.beats[0]!)] };
  const own = [...scene.beats];
  while (own.length > count - 1) own.splice(random.integer(1, own.length - 1), 1);
  const times = new Set(own.map(clockOf));
  const others = [...pack.scenes, ...getDefaultPack(request.language).scenes]
    .filter(unit => unit !== scene && (unit.when.length === 0 || units.includes(unit)))
    .flatMap(unit => unit.beats)
    .filter(beat => !times.has(clockOf(beat)));
  const extra = takeDistinct(random.shuffle(others), count - 1 - own.length, own);
  const beats = uniqueBy([...own, ...extra], clockOf).sort();
  const missing = count - 1 - beats.length;
  const advice = takeDistinct(adviceFor(request), missing, beats);
  return { ...coversOf(scene), bodies: [...beats.map(showClock), ...advice, scene.reveal] };
}

/** Recognise, lower the bar, build up line by line, one small thing today. */
function draftSpark(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const spark: Spark = pickUnit(request, pack.sparks);
  const { recognise, lower, build, today } = spark;
  const shapes = [[], [today], [recognise, today], [recognise, lower, today]];
  const short = shapes[count];
  if (short) return { ...coversOf(spark), bodies: short };
  const own = build.slice(0, count - 3);
  const beside = [recognise, lower, ...own, today];
  const pool = [
    ...random.shuffle(listTexts(pack.lines, haystack)),
    ...random.shuffle(listTexts(getDefaultPack(request.language).lines, haystack)),
  ];
  const lines = takeDistinct(pool, count - 3 - own.length, beside);
  const advice = takeDistinct(adviceFor(request), count - 3 - own.length - lines.length, [
    ...beside,
    ...lines,
  ]);
  return { ...coversOf(spark), bodies: [recognise, lower, ...own, ...lines, ...advice, today] };
}

/** A fixed structure, padded with advice before slide `at` (zero-based) until it has `count` slides. */
function insertAdvice(request: BodyRequest, structure: readonly string[], at: number): string[] {
  const missing = request.count - structure.length;
  if (missing <= 0) return [...structure];
  const advice = takeDistinct(adviceFor(request), missing, structure);
  return [...structure.slice(0, at), ...advice, ...structure.slice(at)];
}

/**
 * Advice from the category that matches the listing, then general advice; none that begins like one of
 * `openings`.
 */
function* adviceFor(request: BodyRequest, openings?: ReadonlySet<string>): Generator<string> {
  for (const text of allAdvice(request)) if (!openings?.has(openingOf(text))) yield text;
}

function* allAdvice({ pack, haystack, focus, random, language }: BodyRequest): Generator<string> {
  const own = selectEntries(pack.advice, haystack);
  const specific = byFocus(random.shuffle(own.specific), focus);
  const general = byFocus(random.shuffle(own.general), focus);
  // When the pack has little on what the listing names, more than one in three would repeat the same few
  // slides in every deck of an app.
  const isSpecific = specific.length >= 8 ? (i: number) => i % 3 !== 2 : (i: number) => i % 3 === 0;
  for (let i = 0; specific.length + general.length > 0; i++) {
    const pool = (isSpecific(i) && specific.length > 0) || general.length === 0 ? specific : general;
    yield pool.shift()!;
  }
  const other = getDefaultPack(language);
  if (pack !== other) yield* random.shuffle(listTexts(other.advice, haystack));
  // Reached only for a given hook that promises twenty or more.
  const lines = [...listTexts(pack.lines, haystack), ...listTexts(other.lines, haystack)];
  yield* random.shuffle(lines.filter(line => line.split(' ').length >= 4));
}

/** Moves texts that share a word with the focus to the front; the order is otherwise kept. */
function byFocus(texts: string[], focus: string): string[] {
  const words = contentWordsOf(focus);
  const hits = (text: string) => [...contentWordsOf(text)].filter(word => words.has(word)).length;
  return words.size === 0 ? [...texts] : texts.toSorted((one, other) => hits(other) - hits(one));
}

/**
 * The listing's instructions to the reader as slides, with their detail if any; only in the language of the
 * deck.
 */
function featureSlides({ material, language, random }: BodyRequest): string[] {
  if (material.language !== language) return [];
  const { imperativeSlides } = getFrames(language);
  return material.features
    .flatMap(feature => {
      if (feature.detail) return [`${feature.text}. ${upperFirst(feature.detail)}.`];
      return isOrder(feature)
        ? [fillFrame(random.pick(imperativeSlides), featureSlots(feature, language))]
        : [];
    })
    .filter(text => text.split(/\s+/).length >= 4 && text.length <= 180);
}

const sharedMin = 2;

/**
 * "In practice: touch the soil first.", made from the feature that instructs the reader on the subject of
 * `beside`. Null when no feature shares two words with it: a single shared word ("client") is chance.
 */
function orderSlide(
  { material, language, random }: BodyRequest,
  frame: string,
  beside: readonly string[],
): string | null {
  if (material.language !== language) return null;
  const matter = contentWordsOf(beside.join(' '));
  const shared = ({ text }: Feature) =>
    [...contentWordsOf(text)].filter(word => word.length >= 4 && matter.has(word)).length;
  const orders = material.features.filter(feature => isOrder(feature) && shared(feature) >= sharedMin);
  const slides = random
    .shuffle(orders)
    .toSorted((one, other) => shared(other) - shared(one))
    .map(feature => fillFrame(frame, featureSlots(feature, language)));
  return takeDistinct(slides, 1, beside)[0] ?? null;
}

/** Features of the listing that no slide shows yet; only in the language of the deck. */
export function findUnusedFeatures(
  { material, language }: Pick<BodyRequest, 'material' | 'language'>,
  bodies: readonly string[],
): Feature[] {
  if (material.language !== language) return [];
  const shown = bodies.join('\n').toLowerCase();
  return material.features.filter(feature => !shown.includes(feature.text.toLowerCase().slice(1)));
}

function clockOf(beat: string): string {
  return beat.slice(0, 5);
}

/** "07:10 You read …" becomes "7:10. You read …". */
function showClock(beat: string): string {
  return `${clockOf(beat).replace(/^0/, '')}. ${beat.slice(6)}`;
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.toReversed().map(item => [keyOf(item), item])).values()];
}
