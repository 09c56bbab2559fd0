import { findBrokenBriefRules, findPromisedCount, planDeck } from '@hookline/deck';
import fillers from '../data/fillers.json' with { type: 'json' };
import { extractMaterial } from '../src/listing/material.ts';
import type { WriteRequest, WrittenDeck } from '../src/port.ts';
import { hasClaim, isLegal } from '../src/text-filters.ts';

/** The answer to one question about a deck. `fault` describes the failure; null means it passed. */
export type Judgement = { question: number; about: string; fault: string | null };

const ourLines = new Set(Object.values(fillers).flatMap(one => (typeof one === 'string' ? [] : one.lines)));

/**
 * What a script can ask of a deck of the built-in writer. Pictures are judged where they are drawn.
 */
export function judgeDeck(request: WriteRequest, deck: WrittenDeck): Judgement[] {
  const { result, ctaMode, notice } = deck;
  const { name, lines } = extractMaterial(request.app);
  const bodies = result.bodySlides.map(({ text }) => text);
  // A line can be two slides.
  const placeOf = (text: string) => lines.findIndex(line => line.text.includes(text));
  const isOwn = (text: string) => placeOf(text) !== -1;
  const isOurs = (text: string) => ourLines.has(text) || /· \d+\/\d+$/u.test(text);
  const shown = [...result.hookOptions, ...bodies, result.caption];
  const names = (text: string) => text.toLowerCase().includes(name.short.toLowerCase());
  const first = (texts: readonly string[], isFaulty: (text: string) => boolean) =>
    texts.find(isFaulty) ?? null;
  const own = bodies.filter(isOwn);
  const shared = request.brief.topic ?? request.brief.hook;
  const places = own.map(placeOf);
  const isShort = own.length < planDeck(request.brief).bodyCount;
  const expected =
    request.brief.topic !== undefined ? 'topic_needs_model' : isShort ? 'listing_too_short' : undefined;
  return [
    {
      question: 1,
      about: 'the rules of the brief',
      fault: findBrokenBriefRules(request.brief, deck)[0] ?? null,
    },
    {
      question: 2,
      about: 'each slide is a line of the listing or ours',
      fault: first(bodies, text => !isOwn(text) && !isOurs(text)),
    },
    {
      question: 3,
      about: 'ours come last and are said to be there',
      fault: notice === expected && own.every((text, i) => bodies[i] === text) ? null : `${notice}`,
    },
    {
      question: 4,
      about: 'in the order of the listing',
      fault:
        shared === undefined && places.some((place, i) => place < (places[i - 1] ?? -1))
          ? own.join(' / ')
          : null,
    },
    {
      question: 5,
      about: 'no claim, no legal text',
      fault: first(
        [...bodies, ...(request.brief.hook === undefined ? result.hookOptions : [])],
        text => hasClaim(text) || isLegal(text),
      ),
    },
    {
      question: 6,
      about: 'nothing twice',
      fault: new Set([result.hook, ...bodies]).size === bodies.length + 1 ? null : bodies.join(' / '),
    },
    {
      question: 7,
      about: 'the closing names the app, and nothing else does without a closing',
      fault:
        ctaMode === 'none'
          ? first(request.brief.hook === undefined ? shown : bodies, names)
          : first([result.ctaSoft, result.ctaHard], text => !names(text)),
    },
    {
      question: 8,
      about: 'three tags and a caption without a count',
      fault:
        new Set(result.hashtags).size === 3 && findPromisedCount(result.caption) === null
          ? null
          : `${result.caption} ${result.hashtags.join(' ')}`,
    },
    {
      question: 9,
      about: 'no mark, no markup, no half character',
      fault: first(shown, text => /^[-–•·*✓>]|[<>{}]|\*\*|!!|\p{Cs}|^[\u200d\ufe0f]| {2}/u.test(text)),
    },
  ];
}
