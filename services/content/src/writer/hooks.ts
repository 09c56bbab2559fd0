import { findPromisedCount } from '../rules/count-promise.ts';
import type { SeededRandom } from '../rules/seeded-random.ts';
import { similarityOf } from './distinct.ts';
import type { Material } from './material.ts';
import { type Pack, selectEntries } from './packs.ts';
import type { Archetype } from './port.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';

const optionsMax = 5;
const optionsMin = 3;

export type HookRequest = {
  archetype: Archetype;
  /** Body slides; a count in a hook equals it (decision 38). */
  count: number;
  pack: Pack;
  material: Material;
  haystack: string;
  topic: string;
  /** Hooks written for the bodies that were chosen. */
  own: string[];
  random: SeededRandom;
};

/** 3 to 5 distinct hooks that all fit the deck, the chosen one first (decision 47). */
export function writeHooks(request: HookRequest): string[] {
  const { archetype, count, random } = request;
  const isCounted = archetype === 'listicle' && count >= 2;
  const pools = isCounted
    ? [topicHooks(request), listHooks(request)]
    : [
        topicHooks(request),
        archetype === 'listicle' ? plainHooks(request) : request.own,
        openingHooks(request),
        plainHooks(request),
      ];
  const chosen: string[] = [];
  for (const pool of pools) {
    for (const hook of random.shuffle(pool)) {
      const promised = findPromisedCount(hook);
      const keepsCount = isCounted ? promised === count : promised === null;
      const isNew = chosen.every(other => similarityOf(hook, other) < 0.9 && hook !== other);
      if (chosen.length < optionsMax && keepsCount && isNew && isGoodHook(hook)) chosen.push(hook);
    }
  }
  return chosen.length >= optionsMin
    ? chosen
    : [...new Set([...chosen, ...lastResort(count, isCounted)])].slice(0, optionsMin);
}

/** The measures of a generated hook: 3 to 14 words, at most 80 characters, nothing banned. */
export function isGoodHook(hook: string): boolean {
  const words = hook.split(/\s+/).length;
  return words >= 3 && words <= 14 && hook.length <= 80 && !hasBannedPhrase(hook) && !hasClaim(hook);
}

/** Hooks with a count, for the listing's own audience where it names one. */
export function listHooks({
  pack,
  haystack,
  material,
  count,
  random,
}: Omit<HookRequest, 'own' | 'topic' | 'archetype'>): string[] {
  const { specific, general } = selectEntries(pack.hooks.listicle, haystack);
  const templates = specific.length >= optionsMin ? specific : [...specific, ...general];
  const audiences =
    material.language === 'en' && material.audiences.length > 0 ? material.audiences : [pack.audience];
  return templates.map(template =>
    template.replace('{n}', String(count)).replace('{aud}', random.pick(audiences)),
  );
}

function plainHooks({ pack, haystack }: HookRequest): string[] {
  const { specific, general } = selectEntries(pack.hooks.plain, haystack);
  return [...specific, ...general];
}

/** The first sentence of the listing when it is short and does not name the app: the maker's own words make the best hook. */
export function openingHooks({ material }: Pick<HookRequest, 'material'>): string[] {
  if (material.language !== 'en') return [];
  const first = (material.sentences[0] ?? '').replace(/[.]$/, '');
  const words = first.split(/\s+/).length;
  const namesApp = first.toLowerCase().includes(material.name.short.toLowerCase());
  return words >= 4 && words <= 12 && !namesApp && /[\p{L}]$/u.test(first) ? [first] : [];
}

/** A topic stands before a colon, because any wording fits there: "How to save money: 5 small rules". */
function topicHooks({ topic, archetype, count }: HookRequest): string[] {
  const clean = topic
    .replace(/\s+/g, ' ')
    .replace(/[.:;,!?]+$/, '')
    .trim();
  const isUsable = clean.length >= 3 && clean.length <= 45 && clean.split(' ').length <= 7;
  if (!isUsable || /[^\p{sc=Latn}\p{N}\p{P}\p{Zs}]/u.test(clean)) return [];
  const head = clean.charAt(0).toUpperCase() + clean.slice(1);
  if (archetype === 'listicle' && count >= 2) {
    return [
      `${head}: ${count} small rules`,
      `${head}: ${count} things to try first`,
      `${head}: ${count} ideas that last`,
    ];
  }
  const frames: Record<Archetype, string[]> = {
    listicle: [`${head}, made smaller`, `${head}: where to begin`],
    transformation: [`${head}: what changes when it gets small`, `${head}, before and after a plan`],
    pov_results: [],
    authority: [`${head}: what helps and what does not`, `${head}: the part that gets left out`],
    motivational: [`${head}, one small step at a time`, `${head}: begin where you are`],
  };
  return frames[archetype];
}

function lastResort(count: number, isCounted: boolean): string[] {
  return isCounted
    ? [
        `${count} small rules for a full week`,
        `${count} habits that fit into a full day`,
        `${count} ideas that take under ten minutes`,
      ]
    : [
        'The small version of a big plan',
        'Start with the part that takes two minutes',
        'What to do when the day is already full',
      ];
}
