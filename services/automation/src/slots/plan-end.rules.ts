import { nextSlots, type PostingPlan } from '@hookline/shared/kernel/posting-times';

/** A plan ends with its last slot before `until`, or when `maxFirings` are made. A missed slot makes none. */
export type PlanLimits = { until: Date | null; maxFirings: number | null; firingsMade: number };

export function firingsLeft({ maxFirings, firingsMade }: PlanLimits): number | null {
  return maxFirings === null ? null : Math.max(0, maxFirings - firingsMade);
}

export function isOver(slot: Date, { until }: Pick<PlanLimits, 'until'>): boolean {
  return until !== null && slot > until;
}

/** @param next the slot after the last one that was settled; null while there is none to wait for */
export function hasEnded(limits: PlanLimits, next: Date | null): boolean {
  return firingsLeft(limits) === 0 || (next !== null && isOver(next, limits));
}

/** @returns fewer slots than asked for where the plan ends before */
export function slotsWithin(plan: PostingPlan & PlanLimits, after: Date, count: number): Date[] {
  const slots = nextSlots(plan, after, Math.min(count, firingsLeft(plan) ?? count));
  return slots.filter(slot => !isOver(slot, plan));
}
