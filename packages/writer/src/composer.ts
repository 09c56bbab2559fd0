import {
  chooseArchetype,
  chooseHook,
  compileAvoidedWords,
  findPromisedCount,
  planDeck,
} from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import { findArchetypeOfHook } from './archetype-of-hook.ts';
import { closingOf, type Fillers, fillersOf, joinName } from './fillers.ts';
import { createFreshest, type Freshest } from './freshest.ts';
import { writeHashtags } from './hashtags.ts';
import { extractMaterial, type Material } from './listing/material.ts';
import { capitalise, isShortOf } from './listing/phrasing.ts';
import { splitAfter } from './listing/prose.ts';
import { alikeMin } from './overlap.ts';
import {
  type Archetype,
  becauseOf,
  type DeckNotice,
  signDeck,
  type WriteRequest,
  type Writer,
  type WrittenDeck,
} from './port.ts';
import { requireAllowedTopic } from './topic-refusal.ts';
import { indexWords, similarityOf, stemsOf } from './words.ts';

/**
 * The built-in writer: no network, no model, no sentence of its own but those that a promised count needs. Each deck is
 * about the app, in the words, the order and the language of its listing.
 */
export const composer: Writer = {
  async write(request) {
    return signDeck(composeDeck(request), { kind: 'builtin', name: 'composer', repaired: false });
  },
};

/** A deck has fewer slides rather than more than half of an earlier one, but not fewer than this. */
const slidesMin = 3;
const optionsMin = 3;
const optionsMax = 5;

/**
 * Writes a deck with the lengths of `planDeck`. Throws `WritingRefused` for a topic that nothing is written about.
 */
export function composeDeck({ seed, app, brief, avoidWords, before, lesson }: WriteRequest): WrittenDeck {
  requireAllowedTopic(brief.topic);
  const material = extractMaterial(app);
  const ctaMode = brief.ctaMode ?? 'soft';
  const isNameless = ctaMode === 'none';
  const count = planDeck(brief).bodyCount;
  const learned = brief.hook === undefined ? lesson : undefined;
  const asked = brief.archetype ?? findArchetypeOfHook(brief.hook);
  const structure = chooseArchetype([asked ?? 'authority'], asked ? undefined : learned, seed);
  const archetype = structure.value;
  // "10 Recipes" on a cover would promise ten.
  const isUnnamed = isNameless || findPromisedCount(material.name.short) !== null;
  const fillers = fillersOf(material, isUnnamed, count);
  const told = { material, isNameless, avoided: compileAvoidedWords(avoidWords), fillers };
  const candidates = material.covers.filter(text => isAllowed(text, told));
  // What is all that a listing says is a slide, not the cover.
  const [only, ...others] = material.lines;
  const listed = only && others.length === 0 && candidates[0]?.includes(bare(only.text)) ? [] : candidates;
  const spare = [...fillers.covers, ...fillers.plainCovers, ...fillers.lines];
  const all = [brief.hook ?? '', ...listed, ...material.lines.map(({ text }) => text), ...spare];
  const { language } = material;
  const fresh = createFreshest(all, before?.decks ?? [], language);
  const own: Own = { ...told, fresh, listed: fresh.sort(listed) };
  const covers = brief.hook === undefined ? writeCovers(own, archetype, count) : [brief.hook];
  const isListed = brief.hook === undefined && own.listed.includes(covers[0]!);
  const hooks = isListed ? listed : covers;
  const picked = learned && chooseHook(fresh.freeHooks(hooks), learned, seed);
  const hook = fresh.chooseHook(picked ? [picked.value] : hooks);
  const hookOptions = [...new Set([hook, ...covers])].slice(0, optionsMax);
  const isAsked =
    brief.slideCount !== undefined || archetype === 'listicle' || findPromisedCount(hook) !== null;
  const { slides, isShort } = writeSlides(own, hook, count, {
    subject: brief.topic ?? brief.hook,
    min: isAsked ? count : Math.min(slidesMin, count),
    isFilled: isAsked,
  });
  const soft = closingOf(material, own.avoided);
  const notice = noticeOf(brief, isShort);
  return {
    result: {
      hook,
      hookOptions,
      bodySlides: slides.map(text => ({ text })),
      ctaSoft: soft,
      ctaHard: own.avoided.test(own.fillers.direct) ? soft : own.fillers.direct,
      caption: writeCaption(own, hook),
      hashtags: writeHashtags(own),
    },
    archetype,
    ctaMode,
    language,
    ...(notice ? { notice } : {}),
    ...becauseOf(picked?.known, structure.known),
  };
}

type Own = {
  material: Material;
  isNameless: boolean;
  /** Matches the words that the brand avoids. */
  avoided: RegExp;
  fillers: Fillers;
  fresh: Freshest;
  /** The listing's lines that can be a cover, those used longest ago first. */
  listed: string[];
};

function noticeOf(brief: Brief, isShort: boolean): DeckNotice | undefined {
  if (brief.topic !== undefined) return 'topic_needs_model';
  return isShort ? 'listing_too_short' : undefined;
}

type Told = Omit<Own, 'fresh' | 'listed'>;
const isAllowed = (text: string, { material, isNameless, avoided }: Told) =>
  !avoided.test(text) && !(isNameless && text.toLowerCase().includes(material.name.short.toLowerCase()));

/** The cover, then what it leaves of the app's name and subtitle. A caption promises no count: slides may be edited. */
function writeCaption(own: Own, hook: string): string {
  const { short, tagline } = own.material.name;
  const first = findPromisedCount(hook) === null ? hook : (own.listed[0] ?? own.fillers.plainCovers[0]!);
  const isNamed = hasName(first, short);
  // "Camareras piso" alone is no sentence; "Notary Journal" is a title.
  const isTold =
    tagline === null ||
    (isNamed && /^\p{Ll}\S*(?: \S+){0,2}$/u.test(tagline)) ||
    first.toLowerCase().includes(tagline.toLowerCase());
  const named = [isNamed ? [] : short, isTold ? [] : tagline].flat().filter(part => isAllowed(part, own));
  const text = capitalise(joinName(named), short);
  const [end, gap] = /[\p{sc=Hira}\p{sc=Han}]/u.test(first) ? ['。', ''] : ['.', ' '];
  const isEnded = /[.!?…。！？।;]\s?[)"”“»」]?$/u.test(first);
  return text === '' ? first : `${first}${isEnded ? '' : end}${gap}${text}`;
}

/** "Tus vinilos" does not name Vinilo, nor does "cada barril" Barril. */
const hasName = (text: string, name: string) =>
  [name, name.toUpperCase()].some(one =>
    new RegExp(
      `(?<!\\p{sc=Latn})${RegExp.escape(one)}(?!\\p{sc=Latn})`,
      name.includes(' ') ? 'iu' : 'u',
    ).test(text),
  );

/** Three to five covers. Only a list promises a number. */
function writeCovers(own: Own, archetype: Archetype, count: number): string[] {
  const { covers, plainCovers } = own.fillers;
  const isCounted = archetype === 'listicle' && count >= 2;
  const found = isCounted ? [] : own.listed.slice(0, optionsMax);
  const spare = isCounted ? covers : plainCovers;
  const allowed = [...spare.filter(text => !own.avoided.test(text)), ...spare].filter(
    text => !found.includes(text),
  );
  const missing = Math.max(0, optionsMin - found.length);
  return [...found, ...new Set(allowed)].slice(0, found.length + missing);
}

/**
 * Up to `count` distinct slides, at least `min`: the listing's lines in its order, those that share words with the
 * subject first, then neutral ones.
 */
function writeSlides(
  own: Own,
  hook: string,
  count: number,
  { subject, min, isFilled }: { subject: string | undefined; min: number; isFilled: boolean },
): { slides: string[]; isShort: boolean } {
  const { lines, name, language } = own.material;
  const wanted = wordsOf(subject ?? '', name.short, language);
  const isShown = (text: string, others: readonly string[]) =>
    [hook, ...others].some(
      other =>
        (other !== name.short && text.toLowerCase().includes(bare(other).toLowerCase())) ||
        bare(other).includes(bare(text)) ||
        similarityOf(text, other, language) >= alikeMin,
    );
  const usable: Ranked[] = [];
  const addUsable = (line: Material['lines'][number], place: number): void => {
    const others = usable.map(({ text }) => text);
    if (isShown(line.text, others)) {
      const rest = splitAfter(line.text, hook, language);
      const isBrief = isShortOf(rest?.text);
      if (rest)
        addUsable(
          { ...line, ...rest, isPitch: line.isPitch && !isBrief, rank: isBrief ? 3 : line.rank },
          place,
        );
    } else if (isAllowed(line.text, own)) {
      usable.push({
        ...line,
        whole: lines[place]!.text,
        place,
        shared: countShared(line.text, wanted, language),
      });
    }
  };
  for (const [place, line] of lines.entries()) addUsable(line, place);
  const ranked = usable.toSorted(
    (one, other) =>
      other.shared - one.shared ||
      Number(other.isPitch) - Number(one.isPitch) ||
      one.rank - other.rank ||
      one.place - other.place,
  );
  // A deck is shorter rather than have what may say nothing alone.
  const countUpTo = (max: number) => ranked.filter(({ rank, shared }) => rank <= max || shared > 0).length;
  const wantedCount = isFilled
    ? count
    : Math.min(count, Math.max(countUpTo(2), Math.min(slidesMin, countUpTo(3)), 2));
  const choose = (from: readonly Ranked[]): Ranked[] => {
    const texts = from.map(({ text }) => text);
    const taken = own.fresh.choose(texts, hook, wantedCount, Math.min(min, wantedCount));
    const chosen = from
      .filter(({ text }) => taken.includes(text))
      .toSorted((one, other) => other.shared - one.shared || one.place - other.place);
    const lost = chosen.filter(
      ({ text, after }, i) =>
        (after !== undefined && !isSaid(after, chosen[i - 1], hook)) ||
        chosen
          .slice(0, i)
          .some(other => labelOf(text) !== undefined && labelOf(other.text) === labelOf(text)),
    );
    return lost.length === 0 ? chosen : choose(from.filter(one => !lost.includes(one)));
  };
  const chosen = choose(ranked).map(({ text }) => text);
  const missing = Math.max(0, (isFilled ? count : Math.min(1, count)) - chosen.length);
  const spare = own.fillers.lines.filter(text => !chosen.includes(text));
  const allowed = spare.filter(text => !own.avoided.test(text));
  const filled = [
    ...own.fresh.choose(allowed, hook, missing, missing),
    ...spare.filter(text => own.avoided.test(text)),
  ];
  return { slides: [...chosen, ...filled.slice(0, missing)], isShort: chosen.length < count };
}

type Ranked = Material['lines'][number] & { place: number; shared: number; whole: string };

const isSaid = (text: string, before: Ranked | undefined, hook: string) =>
  before === undefined ? hook.includes(bare(text)) || text.includes(bare(hook)) : before.whole === text;

const labelOf = (text: string) => /^[^.!?:：]{2,45}[:：]/u.exec(text)?.[0];

const bare = (text: string) => text.replace(/[.!?。！？]+$/u, '');

const wordsOf = (text: string, appName: string, language: string): string[] => [
  ...stemsOf(text.toLowerCase().replaceAll(appName.toLowerCase(), ' '), language),
];

/** How many of the words a text has, whatever their ending: "Lebensmittel" is in "Lebensmittelverschwendung". */
function countShared(text: string, wanted: readonly string[], language: string): number {
  return wanted.length === 0 ? 0 : wanted.filter(indexWords(text, language)).length;
}
