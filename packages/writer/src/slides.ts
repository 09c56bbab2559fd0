import type { SeededRandom } from '@hookline/deck';
import { contentWordsOf, openingOf, similarityMax, similarityOf } from './distinct.ts';
import { nameTopic } from './field.ts';
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

/** Exactly `count` distinct slides: a first one, steps in the order they are written in, a last one. */
export function writeSlides(request: SlidesRequest): string[] {
  const { count, avoided } = request;
  if (count === 0) return [];
  const { open, main, close, spare } =
    request.subject.form === 'kind'
      ? draftAppDeck(request)
      : isOfLines(request)
        ? draftNearDeck(request)
        : draftTopicDeck(request);
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

/**
 * A topic about the app's own job that no field knows gets the listing's lines, in a list or an explanation.
 */
export const isOfLines = ({ subject, archetype }: Pick<SlidesRequest, 'subject' | 'archetype'>) =>
  subject.isNearApp && (archetype === 'listicle' || archetype === 'authority');

function draftNearDeck(request: SlidesRequest): Draft {
  const { subject, random } = request;
  const topic = draftTopicDeck(request);
  const wanted = contentWordsOf(String(subject.title));
  const sharedBy = ({ text }: Filled) => [...contentWordsOf(text)].filter(word => wanted.has(word)).length;
  const quoted = quoteLines(request, ['{line}.']);
  return {
    open: [],
    // The lines that share a word with the topic first.
    main: random.shuffle(quoted).toSorted((one, other) => sharedBy(other) - sharedBy(one)),
    close: [],
    spare: () => [...topic.main, ...topic.spare()],
  };
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
  const stated = placed(fillLines(subject.form === 'statement' ? lines.told : [], slots), -200);
  const ofField = random.shuffle(fillLines(subject.field?.lines, subject.field?.slots ?? slots));
  const told =
    subject.form === 'kind' ? ofField : nameTopic(ofField, { form: subject.form, slots }, request.language);
  const field = placed(told, -50);
  // A field's sentences come before those of the form. Sentences that fit any topic come in when a list is
  // longer than half of the form's own.
  const left = Math.max(0, count - field.length);
  const anyShare = own.length === 0 ? left : Math.max(0, left - Math.floor(own.length / 2));
  const naming = namingFirst(random.shuffle(own));
  const general = random.shuffle(any);
  return {
    open: fill(shape.open),
    main: [
      ...stated,
      ...random.shuffle(steps),
      ...field,
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

/** Lines of the listing; points about apps of its kind only where it has too few. */
function draftAppDeck(request: SlidesRequest): Draft {
  const { subject, archetype, count, random } = request;
  const { kind: texts } = subject.lines;
  const shape = texts[archetype];
  const fill = (some: readonly string[]) => random.shuffle(fillLines(some, subject.slots));
  const quoted = quoteLines(request, shape.line ?? ['{line}.']);
  const points = fill([...texts.points, ...texts.forPeople]);
  const steps = fill(shape.steps);
  return {
    open: fill(shape.open),
    main: quoted.slice(0, count),
    close: fill(shape.close),
    spare: () => [
      ...quoted,
      ...steps,
      ...points,
      ...Object.values(texts).flatMap(some =>
        Array.isArray(some) ? [] : fill([...some.open, ...some.steps, ...some.close]),
      ),
      ...fill(subject.lines.any),
    ],
  };
}

/**
 * The listing's own lines in any order, each as it is: alone or after a colon, so that no line can break a
 * sentence.
 */
function quoteLines(
  { material, language, subject, count, random }: SlidesRequest,
  frames: readonly string[],
): Filled[] {
  if (material.language !== language) return [];
  const ofFeatures = material.features.map(({ text, detail }) => ({ text, detail, isSentence: false }));
  const ofProse = material.sentences
    .filter(sentence => canStandAlone(sentence, material.name.short))
    .map(text => ({ text, detail: null, isSentence: true }));
  // Prose reads like the advertisement it is: it fills up what marked lines leave open.
  const all = [...random.shuffle(ofFeatures), ...(ofFeatures.length > count ? [] : random.shuffle(ofProse))];
  return all.flatMap(({ text, detail, isSentence }, i) => {
    const bare = text.replace(endMark, '');
    const frame = isSentence ? '{line}.' : frames[i % frames.length]!;
    const isBare = frame === '{line}.';
    const line = !detail ? bare : isBare ? `${bare}: ${detail}` : `${bare} (${detail})`;
    const isLong = line.split(' ').length >= lineWordsMin;
    if (!isLong || line.length > slideMax) return [];
    return fillLines([frame], { ...subject.slots, line }).map(filled => ({
      ...filled,
      text: filled.text.replace(/(?<=[ap]\.m\.)\.$/, ''),
    }));
  });
}

/** "a.m." keeps its full stop. */
const endMark = /(?<!\b[ap]\.m)[.!?]$/;
/** "Works offline" is not enough for a slide. */
const lineWordsMin = 3;

const leaning =
  /^(?:it|its|they|that|this|these|those|he|she|and|but|or|so|then|also|no|yes|most|some|er|sie|es|das|und|aber|oder|so|auch|y|pero|o|así|esto|eso)\b|(?<!\p{L})(?:we|our|us|I|my|wir|uns|unser\p{L}*|ich|mein\p{L}*|nuestr\p{L}+|nosotros|mi|yo)(?!\p{L})|[?:;]|\d{3,}|\bthem\b/iu;

/**
 * A whole sentence that does not need the one before it and does not name the app, which the closing line
 * does.
 */
function canStandAlone(sentence: string, appName: string): boolean {
  const words = sentence.split(/\s+/).length;
  if (sentence.toLowerCase().includes(appName.toLowerCase())) return false;
  return (
    words >= 5 &&
    words <= 26 &&
    sentence.length <= 160 &&
    !leaning.test(sentence) &&
    /^\p{Lu}/u.test(sentence)
  );
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
