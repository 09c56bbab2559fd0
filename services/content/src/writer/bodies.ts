import type { SeededRandom } from '../rules/seeded-random.ts';
import { takeDistinct } from './distinct.ts';
import type { Feature, Material } from './material.ts';
import {
  type Change,
  getDefaultPack,
  type Lesson,
  type Pack,
  type Scene,
  type Spark,
  selectEntries,
  selectUnits,
} from './packs.ts';
import type { Archetype } from './port.ts';

export type BodyRequest = {
  archetype: Archetype;
  count: number;
  pack: Pack;
  material: Material;
  /** Listing and topic, lower case: what entries are matched against. */
  haystack: string;
  /** A seed hook or a topic may name what the advice should begin with. */
  focus: string;
  random: SeededRandom;
};

/** The hooks that fit the bodies, and the bodies in order. */
export type BodyDraft = { hooks: string[]; bodies: string[] };

/** The body slides of an archetype: each has its own structure and voice, and each can fill any count up to 34. */
export function draftBodies(request: BodyRequest): BodyDraft {
  const { archetype } = request;
  if (archetype === 'transformation') return draftTransformation(request);
  if (archetype === 'pov_results') return draftScene(request);
  if (archetype === 'authority') return draftLesson(request);
  if (archetype === 'motivational') return draftSpark(request);
  return draftList(request);
}

/** Advice that stands without the app, with at most every third slide from the listing's own lines. */
function draftList(request: BodyRequest): BodyDraft {
  const { count, material, random } = request;
  const featuresMax = Math.min(4, Math.floor(count / 3));
  const features = takeDistinct(random.shuffle(featureSlides(material, random)), featuresMax);
  const advice = takeDistinct(adviceFor(request), count - features.length, features);
  const bodies = [...advice];
  // The listing's lines sit inside the list: its first and last slide are the reader's.
  for (const feature of features)
    bodies.splice(random.integer(1, Math.max(1, bodies.length - 1)), 0, feature);
  return { hooks: [], bodies };
}

/** Belief, mechanism, rule, practice, example, limits. */
function draftLesson(request: BodyRequest): BodyDraft {
  const lesson: Lesson = request.random.pick(selectUnits(request.pack.lessons, request.haystack));
  const { belief, why, rule, example, limit } = lesson;
  const shapes = [[], [rule], [belief, rule], [belief, why, rule], [belief, why, rule, limit]];
  const whole = [belief, why, rule, example, limit];
  return { hooks: lesson.hooks, bodies: insertAdvice(request, shapes[request.count] ?? whole, 4) };
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
  const whole = [before, worse, turn, first, second, third, still];
  return {
    hooks: change.hooks,
    bodies: insertAdvice(request, shapes[request.count] ?? whole, whole.length - 1),
  };
}

/** Moments in the order of the clock, then what made them possible. */
function draftScene(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const units = selectUnits(pack.scenes, haystack);
  const scene: Scene = random.pick(units);
  if (count === 0) return { hooks: scene.hooks, bodies: [] };
  if (count === 1) return { hooks: scene.hooks, bodies: [showClock(scene.beats[0]!)] };
  const own = [...scene.beats];
  while (own.length > count - 1) own.splice(random.integer(1, own.length - 1), 1);
  const times = new Set(own.map(clockOf));
  const others = [...pack.scenes, ...getDefaultPack().scenes]
    .filter(unit => unit !== scene && (unit.when.length === 0 || units.includes(unit)))
    .flatMap(unit => unit.beats)
    .filter(beat => !times.has(clockOf(beat)));
  const extra = takeDistinct(random.shuffle(others), count - 1 - own.length, own);
  const beats = uniqueBy([...own, ...extra], clockOf).sort();
  const missing = count - 1 - beats.length;
  const advice = takeDistinct(adviceFor(request), missing, beats);
  return { hooks: scene.hooks, bodies: [...beats.map(showClock), ...advice, scene.reveal] };
}

/** Recognise, lower the bar, build up line by line, one small thing today. */
function draftSpark(request: BodyRequest): BodyDraft {
  const { count, pack, haystack, random } = request;
  const spark: Spark = random.pick(selectUnits(pack.sparks, haystack));
  const { recognise, lower, build, today } = spark;
  const shapes = [[], [today], [recognise, today], [recognise, lower, today]];
  const short = shapes[count];
  if (short) return { hooks: spark.hooks, bodies: short };
  const own = build.slice(0, count - 3);
  const beside = [recognise, lower, ...own, today];
  const pool = [
    ...random.shuffle(textsOf(pack.lines, haystack)),
    ...random.shuffle(textsOf(getDefaultPack().lines, haystack)),
  ];
  const lines = takeDistinct(pool, count - 3 - own.length, beside);
  const advice = takeDistinct(adviceFor(request), count - 3 - own.length - lines.length, [
    ...beside,
    ...lines,
  ]);
  return { hooks: spark.hooks, bodies: [recognise, lower, ...own, ...lines, ...advice, today] };
}

/** A fixed structure, filled up with advice before slide `at` (counted from 0) until it has `count` slides. */
function insertAdvice(request: BodyRequest, structure: readonly string[], at: number): string[] {
  const missing = request.count - structure.length;
  if (missing <= 0) return [...structure];
  const advice = takeDistinct(adviceFor(request), missing, structure);
  return [...structure.slice(0, at), ...advice, ...structure.slice(at)];
}

/** Advice that names what is in the listing first, then the category's, then anybody's. */
function* adviceFor({ pack, haystack, focus, random }: BodyRequest): Generator<string> {
  const own = selectEntries(pack.advice, haystack);
  yield* byFocus(random.shuffle(own.specific), focus);
  yield* byFocus(random.shuffle(own.general), focus);
  if (pack.id !== 'default') yield* random.shuffle(textsOf(getDefaultPack().advice, haystack));
}

/** Texts that share a word with the focus come first; the order is otherwise kept. */
function byFocus(texts: string[], focus: string): string[] {
  const words = (focus.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map(word => word.slice(0, 5));
  const hits = (text: string) => words.filter(word => text.toLowerCase().includes(word)).length;
  return words.length === 0 ? texts : texts.toSorted((one, other) => hits(other) - hits(one));
}

/** The listing's own lines as slides. Only English ones: the frame around them is English. */
function featureSlides(material: Material, random: SeededRandom): string[] {
  if (material.language !== 'en') return [];
  const frames = random.shuffle(['Worth having: {feature}.', 'It helps to have {feature}.']);
  const nouns = material.features.filter(feature => feature.form === 'noun').slice(0, frames.length);
  return [
    ...material.features.filter(feature => feature.form === 'imperative').map(feature => `${feature.text}.`),
    ...nouns.map((feature, i) => frames[i]!.replace('{feature}', lowerFirst(feature.text))),
  ].filter(text => text.split(/\s+/).length >= 4);
}

/** Lower-cases a first letter unless it begins an acronym or a name like "VAT". */
export function lowerFirst(text: string): string {
  return /^\p{Lu}[\p{Ll}\s-]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

export function findUnusedFeatures(material: Material, bodies: readonly string[]): Feature[] {
  if (material.language !== 'en') return [];
  const shown = bodies.join('\n').toLowerCase();
  return material.features.filter(feature => !shown.includes(feature.text.toLowerCase().slice(1)));
}

function textsOf(entries: Parameters<typeof selectEntries>[0], haystack: string): string[] {
  const { specific, general } = selectEntries(entries, haystack);
  return [...specific, ...general];
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
