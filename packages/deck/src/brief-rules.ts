import type { archetypes, Brief } from '@hookline/shared/contracts/brief';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { findPromisedCount } from './count-promise.ts';
import { type CtaMode, planDeck } from './deck-plan.ts';

/** The parts of a written deck that the brief's rules apply to. */
export type DeckToCheck = {
  result: SlideshowResult;
  archetype: (typeof archetypes)[number];
  ctaMode: CtaMode;
  notice?: string;
};

const hookOptionsMin = 3;
const hookOptionsMax = 5;

/**
 * The ways a deck breaks its brief: lengths, the given hook, promised counts, closing lines (API-2, brief
 * rules 1 to 5; D-35 to D-38, D-47 and D-48). One sentence each, addressed to the deck's author; empty when
 * none is broken.
 */
export function findBrokenBriefRules(brief: Brief, deck: DeckToCheck): string[] {
  const { result, archetype, ctaMode } = deck;
  const { bodyCount } = planDeck(brief);
  const bodies = result.bodySlides.map(slide => slide.text);
  const broken: string[] = [];
  const require = (holds: boolean, rule: string) => holds || broken.push(rule);
  // A listing with few lines gives a short deck where nothing asks for a number of slides.
  const isShort =
    deck.notice !== undefined &&
    brief.slideCount === undefined &&
    archetype !== 'listicle' &&
    findPromisedCount(result.hook) === null &&
    bodies.length > 0;
  require(bodies.length === bodyCount ||
    (isShort &&
      bodies.length < bodyCount), `bodySlides must have exactly ${bodyCount} items, not ${bodies.length}`);
  require(ctaMode === (brief.ctaMode ?? 'soft'), 'ctaMode must be the one of the brief');
  require(brief.archetype === undefined ||
    archetype === brief.archetype, 'archetype must be the one of the brief');
  broken.push(...findBrokenHookRules(brief, deck, bodyCount));
  const isFilled = (text: string) => text.trim() !== '' && text.length <= 500;
  require([...bodies, result.ctaSoft, result.ctaHard].every(
    isFilled,
  ), 'no slide may be blank or longer than 500');
  const closing = ctaMode === 'direct' ? result.ctaHard : result.ctaSoft;
  require(ctaMode === 'none' ||
    !bodies.includes(closing), 'the closing line must be a slide of its own, no repeated body slide');
  require(result.caption.length <= 2200, 'caption must be at most 2200 characters long');
  require(result.hashtags.length <= 30 &&
    result.hashtags.every(tag =>
      /^#[^\s#]{1,99}$/u.test(tag),
    ), 'hashtags must be at most 30, each # and 1 to 99 characters without spaces');
  return broken;
}

function findBrokenHookRules(brief: Brief, { result, archetype }: DeckToCheck, bodyCount: number): string[] {
  const { hook, hookOptions } = result;
  if (brief.hook !== undefined) {
    const isKept = hook === brief.hook && hookOptions.length === 1 && hookOptions[0] === hook;
    return isKept ? [] : ['the given hook must be used word for word and be the only option'];
  }
  const broken: string[] = [];
  if (hookOptions[0] !== hook) broken.push('the chosen hook must be the first option');
  const isDistinct = new Set(hookOptions).size === hookOptions.length;
  if (hookOptions.length < hookOptionsMin || hookOptions.length > hookOptionsMax || !isDistinct) {
    broken.push(`hookOptions must be ${hookOptionsMin} to ${hookOptionsMax} different hooks`);
  }
  if (hookOptions.some(option => option.trim() === '' || option.length > 300)) {
    broken.push('no hook may be blank or longer than 300 characters');
  }
  const isCounted = archetype === 'listicle' && bodyCount >= 2;
  const promises = hookOptions.map(findPromisedCount);
  if (isCounted && promises.some(promised => promised !== bodyCount)) {
    broken.push(`every hook must promise exactly ${bodyCount} things, written as the digit ${bodyCount}`);
  } else if (promises.some(promised => promised !== null && promised !== bodyCount)) {
    broken.push(`a hook that promises a number must promise ${bodyCount}, or none`);
  }
  return broken;
}
