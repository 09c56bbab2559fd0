import type { SeededRandom } from '@hookline/deck';
import { openingOf, similarityMax, similarityOf } from './distinct.ts';
import { fillField } from './field.ts';
import { type Filled, fillLines } from './lines.ts';
import type { Material } from './listing/material.ts';
import type { Archetype } from './port.ts';
import type { Subject } from './subject.ts';

export type SlidesRequest = {
  subject: Subject;
  archetype: Archetype;
  count: number;
  material: Material;
  language: string;
  isNameless: boolean;
  /** Matches the words that the brand avoids. A slide has one only where there are too few without. */
  avoided: RegExp;
  random: SeededRandom;
};

/** Long lists may hold slides that share more words. */
const longListMin = 12;
const longSimilarityMax = 0.6;
/** Characters of a quoted line. */
const slideMax = 150;
/** A listing with as many lines fills most of a deck. */
const linesMin = 6;
/** A listing with fewer marked lines is quoted by its sentences, too. */
const proseMax = 3;

/** Exactly `count` distinct slides: a first one, steps in the order they are written in, a last one. */
export function writeSlides(request: SlidesRequest): string[] {
  const { count, avoided } = request;
  if (count === 0) return [];
  const { open, main, close, spare } =
    request.subject.form === 'kind' ? draftAppDeck(request) : draftTopicDeck(request);
  const allowed = (lines: readonly Line[]) => lines.filter(({ text }) => !avoided.test(text));
  const first = count >= 3 ? allowed(open).slice(0, 1) : [];
  const last = count >= 4 ? allowed(close).slice(0, 1) : [];
  const room = count - first.length - last.length;
  const limit = count > longListMin ? longSimilarityMax : similarityMax;
  const chosen = [...first, ...last];
  const middle: Line[] = [];
  const take = (pool: readonly Line[], max: number) => {
    for (const line of pool) {
      if (middle.length >= room) return;
      if (![...chosen, ...middle].some(other => isAlike(line, other, max))) middle.push(line);
    }
  };
  take(allowed(main), limit);
  const more = middle.length < room ? spare() : [];
  take(allowed(more), limit);
  // With a name and nothing else there may be too few that share no words.
  const rest = [...main, ...open, ...close, ...more];
  take(allowed(rest), 1);
  take(rest, 1);
  const isOrdered = main.every(line => line.place !== undefined);
  const placeOf = ({ place = Infinity }: Line) => place;
  const sorted = isOrdered
    ? middle.toSorted((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
    : middle;
  return [...separate([...first, ...sorted]), ...last].map(({ text }) => text);
}

type Line = Filled & { place?: number };
/** `spare` is for lists that are longer than `main`. */
type Draft = { open: Line[]; main: Line[]; close: Line[]; spare: () => Line[] };

/** Two sentences are compared without what fills their slots, which all of them share. */
function isAlike(one: Filled, other: Filled, max: number): boolean {
  const bare = ({ text, template }: Filled) => (isQuoted(template) ? text : template.replace(/\{\w+\}/g, ''));
  return one.text === other.text || similarityOf(bare(one), bare(other)) >= max;
}

const isQuoted = (template: string) => /\{line\}|\{told\}/.test(template);

/** A topic's own sentences, most of which name it; a long list also has some that hold for any topic. */
function draftTopicDeck(request: SlidesRequest): Draft {
  const { subject, archetype, count, random } = request;
  const { lines, slots } = subject;
  const shape = lines.archetypes[archetype];
  const fill = (texts: readonly string[] | undefined) => random.shuffle(fillLines(texts, slots));
  const byForm = subject.form === 'kind' ? undefined : lines.forms[subject.form];
  const own = placed(fillLines(byForm ?? (subject.form === 'statement' ? [] : lines.forms.noun), slots), 0);
  const any = placed(fillLines(lines.any, slots), 100);
  const steps = placed(fillLines(shape.steps, slots), -100);
  const told = placed(fillLines(subject.form === 'statement' ? lines.told : [], slots), -200);
  const ofField =
    subject.field && subject.form !== 'kind' ? fillField(subject.field, subject.form, request.language) : [];
  const field = random.shuffle(placed(ofField, -50));
  // A field's sentences come before those of the form. Sentences that fit any topic come in when a list is
  // longer than half of the form's own.
  const left = Math.max(0, count - field.length);
  const anyShare = own.length === 0 ? left : Math.max(0, left - Math.floor(own.length / 2));
  const naming = namingFirst(random.shuffle(own));
  const general = random.shuffle(any);
  return {
    open: fill(shape.open),
    main: [
      ...told,
      ...random.shuffle(steps),
      ...namingFirst(field),
      ...naming.slice(0, Math.max(0, left - anyShare)),
      ...general.slice(0, anyShare),
    ],
    close: fill(shape.close),
    spare: () => {
      const app = draftAppDeck({ ...request, subject: appOf(subject) });
      return [...naming, ...general, ...app.main, ...app.spare()];
    },
  };
}

/** The app behind a topic deck, for lists that are longer than what can be said about the topic. */
const appOf = (subject: Subject): Subject => ({
  ...subject,
  form: 'kind',
  slots: { ...subject.kind, about: subject.kind.a_kind },
});

const placed = (lines: readonly Filled[], from: number): Line[] =>
  lines.map((line, i) => ({ ...line, place: from + i }));

/** Sentences that name the topic, in turn with others: enough that no slide could belong to another deck. */
function namingFirst(lines: readonly Line[]): Line[] {
  const naming = lines.filter(({ template }) => template.includes('{'));
  const others = lines.filter(line => !naming.includes(line));
  const mixed: Line[] = [];
  while (naming.length + others.length > 0) {
    const isOther = others.length > 0 && (naming.length === 0 || mixed.length % 2 === 1);
    mixed.push((isOther ? others : naming).shift()!);
  }
  return mixed;
}

/** Lines of the listing and points about apps of its kind in turn. */
function draftAppDeck(request: SlidesRequest): Draft {
  const { subject, archetype, count, random } = request;
  const { kind: texts } = subject.lines;
  const shape = texts[archetype];
  const fill = (some: readonly string[]) => random.shuffle(fillLines(some, subject.slots));
  const quoted = quoteLines(request, shape.line ?? ['{line}.']);
  const points = fill([...texts.points, ...texts.forPeople]);
  const steps = fill(shape.steps);
  const isFramed = shape.open.length > 0;
  const room = Math.max(1, count - (isFramed && count >= 3 ? 1 : 0) - (isFramed && count >= 4 ? 1 : 0));
  // A listing with few lines would show the same ones in every deck.
  const few = Math.min(
    Math.ceil(room / 2) + random.integer(0, 1),
    room,
    Math.max(1, Math.floor(quoted.length / (request.material.features.length < proseMax ? 3 : 2))),
  );
  const quotes = quoted.slice(
    0,
    quoted.length >= linesMin ? Math.max(few, room - Math.floor(room / 4)) : few,
  );
  const others = [...steps.slice(0, 1), ...points].slice(0, room - quotes.length);
  return {
    open: fill(shape.open),
    main: inTurn(quotes, others),
    close: fill(shape.close),
    spare: () => [
      ...points,
      ...quoted,
      ...steps,
      ...Object.values(texts).flatMap(some =>
        Array.isArray(some) ? [] : fill([...some.open, ...some.steps, ...some.close]),
      ),
      ...fill(subject.lines.any),
    ],
  };
}

/**
 * The listing's own lines, each as it is: as a heading or after a colon, so that no line can break a
 * sentence. In the order of the listing, beginning anywhere.
 */
function quoteLines(
  { material, language, subject, isNameless, random }: SlidesRequest,
  frames: readonly string[],
): Filled[] {
  if (material.language !== language) return [];
  const ofFeatures = material.features.map(({ text, detail }) => ({ text, detail, isSentence: false }));
  const ofProse = material.sentences
    .filter(sentence => canStandAlone(sentence, isNameless ? material.name.short : null))
    .map(text => ({ text, detail: null, isSentence: true }));
  const all = ofFeatures.length >= proseMax ? ofFeatures : [...ofFeatures, ...ofProse];
  const bareFrame = frames.find(frame => /^\W*\{line\}\W*$/.test(frame));
  return random.shuffle(all).flatMap(({ text, detail, isSentence }, i) => {
    const bare = text.replace(/[.!?]$/, '');
    const long = detail ? `${bare}: ${detail}` : bare;
    // A whole sentence is a slide as it is, and so is a line that is long enough for one.
    const isBare = bareFrame !== undefined && long.split(' ').length >= 3 && random.integer(1, 5) <= 2;
    const isWhole = isSentence || isBare;
    const around = frames.filter(frame => frame !== bareFrame);
    const frame = isSentence ? '{line}.' : isBare ? bareFrame! : around[i % around.length]!;
    const line = isWhole ? long : detail ? `${bare} (${detail})` : bare;
    return line.length <= slideMax ? fillLines([frame], { ...subject.slots, line }) : [];
  });
}

const leaning =
  /^(?:it|its|they|that|this|these|those|he|she|and|but|or|so|then|also|no|yes|most|some|er|sie|es|das|und|aber|oder|so|auch|y|pero|o|así|esto|eso)\b|(?<!\p{L})(?:we|our|us|I|my|wir|uns|unser\p{L}*|ich|mein\p{L}*|nuestr\p{L}+|nosotros|mi|yo)(?!\p{L})|[?:;]|\d{3,}|\bthem\b/iu;

function canStandAlone(sentence: string, forbidden: string | null): boolean {
  const words = sentence.split(/\s+/).length;
  if (forbidden !== null && sentence.toLowerCase().includes(forbidden.toLowerCase())) return false;
  return (
    words >= 5 &&
    words <= 26 &&
    sentence.length <= 160 &&
    !leaning.test(sentence) &&
    /^\p{Lu}/u.test(sentence)
  );
}

function inTurn<T>(one: readonly T[], other: readonly T[]): T[] {
  const longest = Math.max(one.length, other.length);
  return Array.from({ length: longest }, (_, i) => [one[i], other[i]])
    .flat()
    .filter(item => item !== undefined);
}

/** Moves a slide that begins like the one before it to the next place where it does not. */
function separate(slides: readonly Filled[]): Filled[] {
  const done: Filled[] = [];
  const isLike = (one?: Filled, other?: Filled) =>
    one !== undefined && other !== undefined && openingOf(one.text) === openingOf(other.text);
  const fits = (slide: Filled, at: number) => !isLike(slide, done[at - 1]) && !isLike(slide, done[at]);
  const waiting: Filled[] = [];
  for (const slide of slides) {
    (fits(slide, done.length) ? done : waiting).push(slide);
    const at = waiting.findIndex(other => fits(other, done.length));
    if (at >= 0) done.push(...waiting.splice(at, 1));
  }
  for (const slide of waiting) {
    const at = [...done.keys()].findLast(place => place > 0 && fits(slide, place)) ?? done.length;
    done.splice(at, 0, slide);
  }
  return done;
}
