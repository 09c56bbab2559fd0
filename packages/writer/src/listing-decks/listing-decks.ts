import type { SeededRandom } from '@hookline/deck';
import { openingOf, similarityMax, similarityOf, takeDistinct } from '../distinct.ts';
import { findByHook } from '../given-hook.ts';
import type { DraftedHook } from '../hook-frames.ts';
import type { Archetype } from '../port.ts';
import { upperFirst } from '../upper-first.ts';
import { type Activity, getActivities } from './activities.ts';
import { fillAll, fillOne, slotsFor } from './fill.ts';
import { countedHooks, sceneHooks, unitHooks } from './listing-hooks.ts';
import type { ListingRequest } from './listing-request.ts';
import { readSteps, type Step } from './steps.ts';

export type ListingDeck = { hooks: DraftedHook[]; bodies: string[]; captions: string[] };

/** `rank`: the lowest are kept when a deck has fewer slides than pieces. */
type Piece = { text: string; rank: number };
type Draft = { pieces: Piece[]; hooks: DraftedHook[]; captions: string[] };

/**
 * A deck about what the listing lets people do, for an app that fits no category pack: the listing's lines as
 * steps, surrounded by what holds for that activity regardless of its subject. Null when the listing names
 * nothing to do.
 */
export function draftListingDeck(request: ListingRequest): ListingDeck | null {
  const { archetype, count, random } = request;
  const listed = readSteps(request);
  if (listed.length === 0) return null;
  const steps = random.shuffle(listed);
  if (archetype === 'listicle') return draftListingList(request, steps);
  const main =
    findByHook(steps, ({ activity }) => coversOf(activity), request.focus) ?? pickMain(listed, random);
  const isLikeMain = ({ activity }: Step) => activity === main.activity;
  const others = steps
    .filter(step => step !== main)
    .toSorted((one, other) => Number(isLikeMain(other)) - Number(isLikeMain(one)));
  const draft = drafts[archetype](request, main, others);
  const bodies = fit(request, draft.pieces);
  const isClocked = archetype === 'pov_results' && count > 1;
  return { ...draft, bodies: isClocked ? putClocks(bodies, random) : bodies };
}

/** A listing names its app's main purpose first; lines further down are details. */
const firstOfListing = 3;

/** The deck's main step: preferably something to do rather than a thing to use, and of a known activity. */
function pickMain(listed: readonly Step[], random: SeededRandom): Step {
  const isKnown = ({ activity }: Step) => activity.id !== 'any';
  const isDone = ({ feature }: Step) => feature.form !== 'noun';
  const groups = [
    listed.filter(step => isKnown(step) && isDone(step)),
    listed.filter(isDone),
    listed.filter(isKnown),
  ];
  const group = groups.find(steps => steps.length > 0) ?? listed;
  return random.pick(group.slice(0, firstOfListing));
}

type Unit = { hooks: string[] };

const coversOf = ({ lessons, changes, scenes, sparks }: Activity) =>
  [...lessons, ...changes, ...scenes, ...sparks].flatMap(({ hooks }) => hooks);

/** The unit that a given hook was written for, or a random one. */
function pickUnit<T extends Unit>({ focus, random }: ListingRequest, units: readonly T[]): T {
  return findByHook(units, ({ hooks }) => hooks, focus) ?? random.pick(units);
}

/**
 * Steps and advice about such steps, in the order of the work: look, plan, do, write down, compare, pass on.
 */
function draftListingList(request: ListingRequest, steps: readonly Step[]): ListingDeck {
  const { count, random, material } = request;
  const shown = Math.min(steps.length, Math.max(1, Math.round(count * 0.6)));
  const slides: { text: string; phase: number }[] = [];
  const used = () => slides.map(({ text }) => text);
  const add = (text: string, phase: number) => {
    if (slides.length < count && isNew(text, used())) slides.push({ text, phase });
  };
  for (const step of steps) {
    if (slides.length >= shown) break;
    add(stepSlide(request, step, used()), step.activity.phase);
  }
  const advice = uniqueActivities(steps).flatMap(activity =>
    fillAll(activity.advice, slotsFor(material, null), random).map(({ text }) => ({
      text,
      phase: activity.phase,
    })),
  );
  for (const { text, phase } of random.shuffle(advice)) add(text, phase);
  for (const text of request.advice) {
    if (slides.length >= count) break;
    add(text, 5);
  }
  const shownSteps = steps.slice(0, shown);
  return {
    hooks: countedHooks(request, shownSteps),
    bodies: slides.toSorted((one, other) => one.phase - other.phase).map(({ text }) => text),
    captions: captionsOf(shownSteps),
  };
}

const drafts: Record<
  Exclude<Archetype, 'listicle'>,
  (request: ListingRequest, main: Step, others: readonly Step[]) => Draft
> = {
  transformation(request, main, others) {
    const { random } = request;
    const unit = pickUnit(request, main.activity.changes);
    const slots = slotsFor(request.material, main);
    const { turn } = getActivities(request.language).frames;
    const [before = '', worse = ''] = unit.old;
    const used = [before, worse, unit.still];
    const [second, third] = writeSteps(stepSlide, request, others, used);
    return {
      pieces: [
        { text: before, rank: 1 },
        { text: worse, rank: 5 },
        { text: fillOne(turn, slots, random), rank: 0 },
        ...pieceOf(second, 2),
        ...pieceOf(third, 6),
        { text: unit.still, rank: 3 },
      ],
      hooks: unitHooks(request, main, unit.hooks),
      captions: captionsOf([main]),
    };
  },
  authority(request, main, others) {
    const { random } = request;
    const unit = pickUnit(request, main.activity.lessons);
    const { rule } = getActivities(request.language).frames;
    const used = [unit.belief, unit.why, unit.limit];
    const alike = others.filter(({ activity }) => activity === main.activity);
    // Another line of the listing is an example only if it follows the same rule.
    const [example] = [
      ...writeSteps(stepSlide, request, alike, used),
      ...fillAll(main.activity.advice, slotsFor(request.material, main), random)
        .map(({ text }) => text)
        .filter(text => isNew(text, used)),
    ];
    return {
      pieces: [
        { text: unit.belief, rank: 1 },
        { text: unit.why, rank: 2 },
        { text: fillOne(rule, slotsFor(request.material, main), random), rank: 0 },
        ...pieceOf(example, 4),
        { text: unit.limit, rank: 3 },
      ],
      hooks: unitHooks(request, main, unit.hooks),
      captions: captionsOf([main]),
    };
  },
  pov_results(request, main, others) {
    const unit = pickUnit(request, main.activity.scenes);
    const first = beatOf(request, main, []);
    const used = [unit.open, unit.close, unit.reveal, first];
    const more = writeSteps(beatOf, request, others, used);
    // The scene is about the last thing done.
    return {
      pieces: [
        { text: unit.open, rank: 2 },
        ...pieceOf(more[1], 5),
        ...pieceOf(more[0], 4),
        { text: first, rank: 1 },
        { text: unit.close, rank: 3 },
        { text: unit.reveal, rank: 0 },
      ],
      hooks: sceneHooks(request, main, unit),
      captions: captionsOf([main]),
    };
  },
  motivational(request, main) {
    const { random } = request;
    const unit = pickUnit(request, main.activity.sparks);
    const { today } = getActivities(request.language).frames;
    return {
      pieces: [
        { text: unit.recognise, rank: 1 },
        { text: unit.lower, rank: 2 },
        ...unit.build.map((text, i) => ({ text, rank: 3 + i })),
        { text: fillOne(today, slotsFor(request.material, main), random), rank: 0 },
      ],
      hooks: unitHooks(request, main, unit.hooks),
      captions: captionsOf([main]),
    };
  },
};

/** As many pieces as the deck has slides, in order; missing ones are inserted before the last. */
function fit({ archetype, count, advice, lines }: ListingRequest, pieces: readonly Piece[]): string[] {
  const kept = pieces.toSorted((one, other) => one.rank - other.rank).slice(0, count);
  const bodies = pieces.filter(piece => kept.includes(piece)).map(({ text }) => text);
  const missing = count - bodies.length;
  if (missing <= 0) return bodies;
  const more = archetype === 'motivational' ? [...lines, ...advice] : [...advice];
  const openings = new Set(bodies.map(openingOf));
  const isApart = (text: string) => !openings.has(openingOf(text));
  const filling = takeDistinct(more.filter(isApart), missing, bodies);
  return [...bodies.slice(0, -1), ...filling, ...bodies.slice(-1)];
}

const pieceOf = (text: string | undefined, rank: number): Piece[] => (text ? [{ text, rank }] : []);

/** Steps as slides or moments that repeat neither each other nor the rest of the deck. */
function writeSteps(
  write: (request: ListingRequest, step: Step, used: readonly string[]) => string,
  request: ListingRequest,
  steps: readonly Step[],
  used: readonly string[],
): string[] {
  const texts: string[] = [];
  for (const step of steps) {
    const known = [...used, ...texts];
    const text = write(request, step, known);
    if (isNew(text, known)) texts.push(text);
  }
  return texts;
}

const wordsMax = 32;
const charactersMax = 180;

/** "Pair each test tile with its photo. In a month you won't know which was which." */
function stepSlide(
  { language, random }: Pick<ListingRequest, 'language' | 'random'>,
  step: Step,
  used: readonly string[],
): string {
  const { step: frames } = getActivities(language).frames;
  // "Rest timer. Starts by itself after every set.": a thing that the listing explains itself.
  const isExplained = step.detail !== null && step.feature.form === 'noun';
  const lead = isExplained ? `${step.feature.text}.` : fillOne(frames, { act: [step.act] }, random);
  const reasons = step.detail ? [upperFirst(`${step.detail}.`)] : random.shuffle(step.activity.why);
  const whole = reasons.map(reason => `${lead} ${reason}`);
  const fits = (text: string) => text.split(/\s+/).length <= wordsMax && text.length <= charactersMax;
  const isFresh = (_: string, i: number) => used.every(text => !text.includes(reasons[i]!));
  return whole.filter(isFresh).find(fits) ?? lead;
}

function beatOf({ language, random }: ListingRequest, step: Step, used: readonly string[]): string {
  const lead = fillOne(getActivities(language).frames.beat, { act: [step.act] }, random);
  const effect = random.shuffle(step.activity.after).find(text => used.every(other => !other.includes(text)));
  return effect ? `${lead} ${effect}` : lead;
}

function isNew(text: string, others: readonly string[]): boolean {
  return others.every(
    other => similarityOf(text, other) < similarityMax && openingOf(text) !== openingOf(other),
  );
}

const clocks = ['7:10', '8:45', '10:20', '12:30', '14:05', '16:40', '18:15', '19:50', '21:20'];

/** Adds a time of day to all slides but the last; a long deck runs out of times and continues without. */
function putClocks(bodies: readonly string[], random: SeededRandom): string[] {
  const moments = Math.min(bodies.length - 1, clocks.length);
  const inner = clocks.slice(1, -1);
  while (inner.length > Math.max(0, moments - 2)) inner.splice(random.integer(0, inner.length - 1), 1);
  const day = moments === 1 ? clocks.slice(0, 1) : [clocks[0]!, ...inner, clocks.at(-1)!];
  return bodies.map((text, i) => (i < moments ? `${day[i]}. ${text}` : text));
}

const uniqueActivities = (steps: readonly Step[]) => [...new Set(steps.map(({ activity }) => activity))];
const captionsOf = (steps: readonly Step[]) => uniqueActivities(steps).flatMap(({ captions }) => captions);
