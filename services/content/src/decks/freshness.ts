/** Compares the texts of a deck with those of its app's earlier decks. */
import { type Freshness, nothingNew, type SlideshowResult } from '@hookline/shared/contracts/content';
import { createRecall } from '@hookline/shared/kernel';
import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';
import { type EarlierDecks, findNearest, linesOf, overlapMax } from '@hookline/writer';
import { type FailedDeck, failedDeck } from './deck.rules.ts';
import type { DeckBefore } from './record.ts';

const comparedMs = 90 * dayMs;
const automationComparedMs = 60 * dayMs;

/** Decks of an app are compared from this time on. */
export const comparedSince = (now: Date): Date => new Date(now.getTime() - comparedMs);

// Holds the decks that this process wrote last, newest first. A deck that is written at the same time has not
// read them from the database.
const recallLatest = createRecall<DeckBefore[]>(200);
const latestMax = 20;

/** @returns a function that forgets the deck, for when it fails */
export function rememberDeck(appId: string, deck: DeckBefore): () => void {
  const latest = recallLatest(appId, () => []);
  latest.unshift(deck);
  latest.splice(latestMax);
  return () => {
    if (latest.includes(deck)) latest.splice(latest.indexOf(deck), 1);
  };
}

/** Adds to the decks that were read those that this process wrote in the last minute. */
export function withLatest(
  before: readonly DeckBefore[],
  { appId, contentId, now }: { appId: string; contentId: string; now: Date },
): DeckBefore[] {
  const known = new Set([contentId, ...before.map(({ id }) => id)]);
  const since = now.getTime() - minuteMs;
  const latest = recallLatest(appId, () => []);
  return [...latest.filter(({ id, createdAt }) => !known.has(id) && createdAt.getTime() >= since), ...before];
}

export type Texts = { result: SlideshowResult; language: string | null };

export function freshnessOf({ result, language }: Texts, before: readonly DeckBefore[]): Freshness | null {
  const nearest = findNearest(linesOf(result), before, language ?? 'en');
  return nearest && { nearestContentId: nearest.deck.id, overlap: Math.round(nearest.overlap * 100) / 100 };
}

/** True for a deck that shares more than half with one of the others. */
export function isRepeat({ result, language }: Texts, others: readonly DeckBefore[]): boolean {
  const nearest = findNearest(linesOf(result), others, language ?? 'en');
  return nearest !== null && nearest.overlap > overlapMax;
}

/** @returns null unless the deck repeats another of its automation */
export function refuseRepeat(
  texts: Texts,
  before: readonly DeckBefore[],
  { automationId, now }: { automationId: string; now: Date },
): FailedDeck | null {
  const since = now.getTime() - automationComparedMs;
  const own = before.filter(deck => deck.automationId === automationId && deck.createdAt.getTime() >= since);
  const nearest = findNearest(linesOf(texts.result), own, texts.language ?? 'en');
  if (!nearest || nearest.overlap <= overlapMax) return null;
  const percent = Math.round(nearest.overlap * 100);
  const message = `Nothing new to say: ${percent} % of the slideshow is in ${nearest.deck.id}, which this automation made in the last 60 days; nothing was charged. Give the automation topics, refresh the listing of the app or connect a text model.`;
  return failedDeck(nothingNew, message);
}

const rejectionsTold = 10;

export function toldOf(before: readonly DeckBefore[]): EarlierDecks {
  const reasons = before.flatMap(({ rejectReason }) => rejectReason ?? []);
  return { decks: before, rejected: reasons.slice(0, rejectionsTold) };
}
