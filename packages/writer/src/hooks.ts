import { findPromisedCount, type SeededRandom } from '@hookline/deck';
import { similarityOf } from './distinct.ts';
import { type Filled, fillLines } from './lines.ts';
import type { Archetype } from './port.ts';
import { isOfLines } from './slides.ts';
import type { Subject } from './subject.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';

const optionsMax = 5;

export type HooksRequest = {
  subject: Subject;
  archetype: Archetype;
  count: number;
  /** Matches the words that the brand avoids. A hook has one only where fewer than 3 have none. */
  avoided: RegExp;
  random: SeededRandom;
};

/** 3 to 5 distinct hooks, the chosen one first (D-47); each promises `count` slides or no number (D-38). */
export function writeHooks(request: HooksRequest): Filled[] {
  const { subject, count, avoided, random } = request;
  const isCounted = request.archetype === 'listicle' && count >= 2;
  const archetype = request.archetype === 'listicle' && !isCounted ? 'authority' : request.archetype;
  const slots = { ...subject.slots, n: count };
  const { hooks } = subject.lines;
  const ofField = isCounted ? fillLines(subject.field?.hooks, slots) : [];
  const isNear = isOfLines({ subject, archetype });
  const ofForm = random.shuffle([
    ...fillLines(isNear ? hooks.near?.[archetype] : hooks[subject.form]?.[archetype], slots),
    ...(isNear || /^(?:question|why|kind)$/.test(subject.form)
      ? []
      : fillLines(hooks.topic?.[archetype], slots)),
  ]);
  // "4 things to look for in a navigation app" is a cover for want of another: the listing does not say what
  // it is.
  const isWorse = ({ template }: Filled) =>
    subject.form === 'kind' && !subject.isKindTold && !template.includes('{pitch}');
  const own = [
    ...random.shuffle(ofField),
    ...ofForm.toSorted((one, other) => +isWorse(one) - +isWorse(other)),
  ];
  const plain = random.shuffle(fillLines(hooks.plain?.[archetype], slots));
  const chosen: Filled[] = [];
  const isAvoided = ({ text }: Filled) => avoided.test(text);
  const good = [...own, ...plain].filter(hook => !isAvoided(hook));
  for (const hook of [...good, ...own.filter(isAvoided), ...plain.filter(isAvoided)]) {
    const promised = findPromisedCount(hook.text);
    const keepsCount = isCounted ? promised === count : promised === null;
    const isNew = chosen.every(other => similarityOf(hook.text, other.text) < 1);
    if (chosen.length < optionsMax && keepsCount && isNew && isGoodHook(hook)) chosen.push(hook);
    // Hooks that name nothing, or an avoided word, only fill up.
    if (chosen.length >= 3 && (plain.includes(hook) || isAvoided(hook))) break;
  }
  return chosen;
}

/** True for a generated hook of 3 to 14 words and at most 80 characters without a banned phrase. */
function isGoodHook({ text, template }: Filled): boolean {
  const words = text.split(/\s+/).length;
  // The topic's own words ("how to talk to your doctor") claim nothing about the app.
  return words >= 3 && words <= 14 && text.length <= 80 && !hasBannedPhrase(text) && !hasClaim(template);
}

/**
 * The archetype of one of the composer's own hooks about the app, whatever its number and audience;
 * undefined for any other.
 */
export function findOwnArchetype(hook: string, subject: Subject): Archetype | undefined {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const slots = { ...subject.slots, n: '\u0001', aud: '\u0002' };
  const toPattern = ({ text }: Filled) =>
    new RegExp(`^${literal(text).replace('\u0001', '\\d+').replace('\u0002', '.+')}$`, 'iu');
  const found = Object.entries(subject.lines.hooks.kind ?? {}).find(([, texts]) =>
    fillLines(texts, slots).some(line => toPattern(line).test(hook.trim())),
  );
  return found?.[0] as Archetype | undefined;
}
