import { minuteMs } from '@hookline/shared/kernel/durations';
import { nextSlot, type PostingPlan } from '@hookline/shared/kernel/posting-times';
import { isOver, type PlanLimits } from './plan-end.rules.ts';

/** A slot missed by at most this long still fires; an older one is recorded as skipped (D-12). */
export const catchUpMs = 15 * minuteMs;

export type DuePlan = PostingPlan &
  Pick<PlanLimits, 'until'> & { format: 'slideshow' | 'hook_video'; nextFireAt: Date };

export type DueSlot = { slot: Date; decision: SlotDecision };

/**
 * @returns the due slots, oldest first and each once, and the slot after them, which is due if there are more
 */
export function dueSlots(plan: DuePlan, now: Date, slotsMax: number): { due: DueSlot[]; next: Date } {
  const due: DueSlot[] = [];
  // A newer zone table may have moved the stored slot: it fires at its new time only.
  let next = nextSlot(plan, new Date(plan.nextFireAt.getTime() - 1));
  while (next <= now && !isOver(next, plan) && due.length < slotsMax) {
    due.push({ slot: next, decision: decideSlot(plan.format, next, now) });
    next = nextSlot(plan, next);
  }
  return { due, next };
}

export type SlotDecision = { fires: true } | { fires: false; reason: string };

/** A slot fires if it was missed by at most 15 min; `hook_video` never does (D-12). */
export function decideSlot(format: 'slideshow' | 'hook_video', slot: Date, now: Date): SlotDecision {
  if (format === 'hook_video') {
    return { fires: false, reason: 'generation_not_wired: hook_video content is not generated' };
  }
  const lateMs = now.getTime() - slot.getTime();
  if (lateMs > catchUpMs) {
    const minutes = Math.ceil(lateMs / 60_000);
    return { fires: false, reason: `missed: the slot was ${minutes} min past, more than the 15 min allowed` };
  }
  return { fires: true };
}
