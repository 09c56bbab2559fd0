import { nextSlot, type PostingPlan } from '@hookline/shared/kernel/posting-times';
import { hasEnded, type PlanLimits } from './plan-end.rules.ts';

/** Plans that fire together stay in their order. */
export function nextFirings<Plan extends PostingPlan & PlanLimits & { nextFireAt: Date }>(
  plans: readonly Plan[],
  limit: number,
): { plan: Plan; at: Date }[] {
  let upcoming = plans.map(plan => ({ plan, at: plan.nextFireAt, firingsMade: plan.firingsMade }));
  const firings: { plan: Plan; at: Date }[] = [];
  while (firings.length < limit) {
    const next = upcoming.reduce<(typeof upcoming)[number] | null>(
      (first, other) => (first === null || other.at < first.at ? other : first),
      null,
    );
    if (next === null) break;
    const { plan, at } = next;
    firings.push({ plan, at });
    next.at = nextSlot(plan, at);
    next.firingsMade += 1;
    if (hasEnded({ ...plan, firingsMade: next.firingsMade }, next.at)) {
      upcoming = upcoming.filter(other => other !== next);
    }
  }
  return firings;
}
