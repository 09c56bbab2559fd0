import { nextSlot, type PostingPlan } from './next-slot.rules.ts';

/** Plans that fire together stay in their order. */
export function nextFirings<Plan extends PostingPlan & { nextFireAt: Date }>(
  plans: readonly Plan[],
  limit: number,
): { plan: Plan; at: Date }[] {
  const upcoming = plans.map(plan => ({ plan, at: plan.nextFireAt }));
  const firings: { plan: Plan; at: Date }[] = [];
  while (firings.length < limit) {
    const next = upcoming.reduce<(typeof upcoming)[number] | null>(
      (first, other) => (first === null || other.at < first.at ? other : first),
      null,
    );
    if (next === null) break;
    firings.push({ ...next });
    next.at = nextSlot(next.plan, next.at);
  }
  return firings;
}
