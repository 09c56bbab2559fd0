import type { ctaModes, templateIds } from '@hookline/shared/contracts/brief';
import { findPromisedCount } from './count-promise.ts';

export type CtaMode = (typeof ctaModes)[number];

/** 33 body slides, a hook and a closing slide fill the 35 photos that a post can carry. */
export const slidesMax = 35;
const classicBodiesMax = 33;
const slideCountDefault = 6;

/** The parts of a brief that decide the length of its deck. `ctaMode` defaults to `soft` (D-37). */
export type DeckBrief = {
  hook?: string | undefined;
  slideCount?: number | undefined;
  ctaMode?: CtaMode | undefined;
  templateId?: (typeof templateIds)[number] | undefined;
};

/**
 * `total` includes the hook and the closing slide. `countInHook` is the count that the hook states or may
 * state: a given hook's promise unchanged and uncapped; for a generated hook the number of body slides, null
 * below two.
 */
export type DeckPlan = { total: number; bodyCount: number; hasClosing: boolean; countInHook: number | null };

/**
 * The length of a deck (API-2, brief rules 1 to 5; D-35 to D-38).
 *
 * | deck       | hook                 | slideCount | body slides                              |
 * |------------|----------------------|------------|------------------------------------------|
 * | classic    | given, promises N    | any        | min(N, 33)                               |
 * | classic    | other or generated   | S (or 6)   | S - hook - closing                       |
 * | quote-card | any                  | S          | S - hook - closing                       |
 * | quote-card | given, promises N    | omitted    | N, at most 35 - hook - closing           |
 * | quote-card | other or generated   | omitted    | 6 - hook - closing                       |
 *
 * Every template counts as a quote-card. closing = 1, or 0 with `ctaMode: none`.
 */
export function planDeck(brief: DeckBrief): DeckPlan {
  const hasClosing = brief.ctaMode !== 'none';
  const ends = hasClosing ? 2 : 1;
  const promised = brief.hook === undefined ? null : findPromisedCount(brief.hook);
  const bodyCount = countBodies(brief, promised, ends);
  const generatedCount = bodyCount >= 2 ? bodyCount : null;
  return {
    total: bodyCount + ends,
    bodyCount,
    hasClosing,
    countInHook: brief.hook === undefined ? generatedCount : promised,
  };
}

function countBodies(brief: DeckBrief, promised: number | null, ends: number): number {
  const isDrawn = brief.templateId !== undefined;
  if (promised !== null && !isDrawn) return Math.min(promised, classicBodiesMax);
  if (promised !== null && brief.slideCount === undefined) return Math.min(promised, slidesMax - ends);
  return (brief.slideCount ?? slideCountDefault) - ends;
}
