import type { SeededRandom } from '../rules/seeded-random.ts';
import { openingOf, takeDistinct } from './distinct.ts';
import { type Frames, fillFrame, getFrames } from './frames.ts';
import { type DraftedHook, featureSlots, isOrder } from './hook-frames.ts';
import type { Feature } from './listing/features.ts';
import type { Material } from './listing/material.ts';
import { draftOwnDeck, stepSlide } from './own/own-decks.ts';
import { readSteps } from './own/steps.ts';
import {
  type Change,
  getDefaultPack,
  type Lesson,
  listTexts,
  type Pack,
  type Scene,
  type Spark,
  selectEntries,
  selectUnits,
} from './packs.ts';
import type { Archetype } from './port.ts';
import { upperFirst } from './upper-first.ts';

export type BodyRequest = {
  archetype: Archetype;
  count: number;
  pack: Pack;
  material: Material;
  language: string;
  /** Listing and topic, lower case: what entries are matched against. */
  haystack: string;
  /** A seed hook or a topic may name what the advice should begin with. */
  focus: string;
  random: SeededRandom;
};

/** The hooks that fit the bodies, the bodies in order, and captions where they belong to this deck alone. */
export type BodyDraft = { hooks: DraftedHook[]; bodies: string[]; captions?: string[] };

/** The body slides of an archetype: each has its own structure and voice, and each can fill any count up to 34. */
export function draftBodies(request: BodyRequest): BodyDraft {
  return draftFromListing(request) ?? draftFromPack(request);
}

/** For an app that no category fits: a deck around what its own lines let people do. */
function draftFromListing(request: BodyRequest): BodyDraft | null {
  const { pack, haystack, random, count } = request;
  if (pack.id !== 'default' || count === 0) return null;
  const lines = random.shuffle(listTexts(pack.lines, haystack));
  return draftOwnDeck({ ...request, advice: adviceFor(request), lines });
}

function draftFromPack(request: BodyRequest): BodyDraft {
  const { archetype } = request;
  if (archetype === 'transformation') return draftTransformation(request);
  if (archetype === 'pov_results') return draftScene(request);
  if (archetype === 'authority') return draftLesson(request);
  if (archetype === 'motivational') return draftSpark(request);
  return draftList(request);
}

const asIs = (text: string): DraftedHook => ({ text, skeleton: text });

/** Advice that stands without the app, with at most every third slide from the listing's own lines. */
function draftList(request: BodyRequest): BodyDraft {
  const { count, random } = request;
  const featuresMax = Math.min(4, Math.floor(count / 3));
  // Two of them may come to stand side by side.
  const opened = new Map(random.shuffle(featureSlides(request)).map(slide => [openingOf(slide), slide]));
  const features = takeDistinct(opened.values(), featuresMax);
  const advice = takeDistinct(adviceFor(request, new Set(opened.keys())), count - features.length, features);
  const bodies = [...advice];
  // The listing's lines sit inside the list: its first and last slide are the reader's.
  for (const feature of features)
    bodies.splice(random.integer(1, Math.max(1, bodies.length - 1)), 0, feature);
  return { hooks: [], bodies };
}

/** Belief, mechanism, rule, example, practice from the listing, limits. */
function draftLesson(request: BodyRequest): BodyDraft {
  const lesson: Lesson = request.random.pick(selectUnits(request.pack.lessons, request.haystack));
  const { belief, why, rule, example, limit } = lesson;
  const shapes = [[], [rule], [belief, rule], [belief, why, rule], [belief, why, rule, limit]];
  const whole = [belief, why, rule, example, limit];
  const practice = practiceSlide(request, whole);
  // With five slides the listing's own example takes the place of the pack's.
  if (practice !== null)
    whole.splice(request.count > whole.length ? 4 : 3, request.count > whole.length ? 0 : 1, practice);
  const structure = shapes[request.count] ?? whole;
  return { hooks: lesson.hooks.map(asIs), bodies: insertAdvice(request, structure, structure.length - 1) };
}

/** The old way, the turn, the steps, and what is still imperfect. */
function draftTransformation(request: BodyRequest): BodyDraft {
  const change: Change = request.random.pick(selectUnits(request.pack.changes, request.haystack));
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
  const own = takeDistinct(request.random.shuffle(featureSlides(request)), 1, change.steps)[0];
  // A step of the new way that the listing itself names.
  const whole = [before, worse, turn, first, own ?? second, own ? second : third, still];
  if (own && request.count >= 5) shapes[5] = [before, turn, first, own, still];
  if (own && request.count >= 6) shapes[6] = [before, worse, turn, first, own, still];
  return {
    hooks: change.hooks.map(asIs),
    bodies: insertAdvice(request, shapes[request.count] ?? whole, whole.length - 1),
  };
}

/** Moments in the order of the clock, then what made them possible. */
function draftScene(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const units = selectUnits(pack.scenes, haystack);
  const scene: Scene = random.pick(units);
  if (count === 0) return { hooks: scene.hooks.map(asIs), bodies: [] };
  if (count === 1) return { hooks: scene.hooks.map(asIs), bodies: [showClock(scene.beats[0]!)] };
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
  return { hooks: scene.hooks.map(asIs), bodies: [...beats.map(showClock), ...advice, scene.reveal] };
}

/** Recognise, lower the bar, build up line by line, one small thing today. */
function draftSpark(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const spark: Spark = random.pick(selectUnits(pack.sparks, haystack));
  const { recognise, lower, build, today } = spark;
  const shapes = [[], [today], [recognise, today], [recognise, lower, today]];
  const short = shapes[count];
  if (short) return { hooks: spark.hooks.map(asIs), bodies: short };
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
  return { hooks: spark.hooks.map(asIs), bodies: [recognise, lower, ...own, ...lines, ...advice, today] };
}

/** A fixed structure, filled up with advice before slide `at` (counted from 0) until it has `count` slides. */
function insertAdvice(request: BodyRequest, structure: readonly string[], at: number): string[] {
  const missing = request.count - structure.length;
  if (missing <= 0) return [...structure];
  const advice = takeDistinct(adviceFor(request), missing, structure);
  return [...structure.slice(0, at), ...advice, ...structure.slice(at)];
}

/** Advice for what is in the listing among the category's, then anybody's; none that begins like one of `openings`. */
function* adviceFor(request: BodyRequest, openings?: ReadonlySet<string>): Generator<string> {
  for (const text of allAdvice(request)) if (!openings?.has(openingOf(text))) yield text;
}

function* allAdvice({ pack, haystack, focus, random, language }: BodyRequest): Generator<string> {
  const own = selectEntries(pack.advice, haystack);
  const specific = byFocus(random.shuffle(own.specific), focus);
  const general = byFocus(random.shuffle(own.general), focus);
  // Where little is written for what the listing names, more than one in three would be the same few in every deck of an app.
  const isSpecific = specific.length >= 8 ? (i: number) => i % 3 !== 2 : (i: number) => i % 3 === 0;
  for (let i = 0; specific.length + general.length > 0; i++) {
    const pool = (isSpecific(i) && specific.length > 0) || general.length === 0 ? specific : general;
    yield pool.shift()!;
  }
  const other = getDefaultPack(language);
  if (pack !== other) yield* random.shuffle(listTexts(other.advice, haystack));
  // Only a given hook that promises twenty or more comes this far.
  const lines = [...listTexts(pack.lines, haystack), ...listTexts(other.lines, haystack)];
  yield* random.shuffle(lines.filter(line => line.split(' ').length >= 4));
}

/** Texts that share a word with the focus come first; the order is otherwise kept. */
function byFocus(texts: string[], focus: string): string[] {
  const words = (focus.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map(word => word.slice(0, 5));
  const hits = (text: string) => words.filter(word => text.toLowerCase().includes(word)).length;
  return words.length === 0 ? [...texts] : texts.toSorted((one, other) => hits(other) - hits(one));
}

/** The listing's own lines as slides, with their detail where they have one; only in the language of the deck. */
function featureSlides({ material, language, random }: BodyRequest): string[] {
  if (material.language !== language) return [];
  const frames = getFrames(language);
  const nounFrames = random.shuffle(frames.nounSlides);
  // A reason is known for what people do; the name of a thing and an order in no list stand alone.
  const reasoned = readSteps({ material, language }).filter(
    ({ activity, feature }) => activity.id !== 'any' && feature.form !== 'noun',
  );
  const steps = new Map(reasoned.map(step => [step.feature, step]));
  let nouns = 0;
  return material.features
    .flatMap(feature => {
      const step = steps.get(feature);
      if (step) return [stepSlide({ language, random }, step, [])];
      if (feature.detail) return [`${feature.text}. ${upperFirst(feature.detail)}.`];
      const frame = feature.form === 'noun' ? nounFrames[nouns++] : slideFrame(frames, feature, random);
      return frame ? [fillFrame(frame, featureSlots(feature, language))] : [];
    })
    .filter(text => text.split(/\s+/).length >= 4 && text.length <= 180);
}

function slideFrame(frames: Frames, { form }: Feature, random: SeededRandom): string | undefined {
  if (form === 'clause') return '{Clause}.';
  const pool = form === 'predicate' ? frames.predicateSlides : frames.imperativeSlides;
  return pool.length > 0 ? random.pick(pool) : undefined;
}

/** "In practice: touch the soil first." from a feature that tells the reader what to do. */
function practiceSlide(request: BodyRequest, beside: readonly string[]): string | null {
  const { material, language, random } = request;
  if (material.language !== language) return null;
  const slides = material.features
    .filter(isOrder)
    .map(feature => fillFrame(getFrames(language).practice, featureSlots(feature, language)));
  return takeDistinct(random.shuffle(slides), 1, beside)[0] ?? null;
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
