import { nextSlot, type PostingPlan } from './next-slot.ts';
import { decideSlot, type SlotDecision } from './slot-decision.ts';

export type DuePlan = PostingPlan & { format: 'slideshow' | 'hook_video'; nextFireAt: Date };

export type DueSlot = { slot: Date; decision: SlotDecision };

/**
 * The due slots of a plan, oldest first and without duplicates, each with its decision (D-12), and the slot
 * after them, which is itself due if there were more than `slotsMax`.
 */
export function dueSlots(plan: DuePlan, now: Date, slotsMax: number): { due: DueSlot[]; next: Date } {
  const due: DueSlot[] = [];
  // A newer zone table may have moved the stored slot: it fires at its new time only.
  let next = nextSlot(plan, new Date(plan.nextFireAt.getTime() - 1));
  while (next <= now && due.length < slotsMax) {
    due.push({ slot: next, decision: decideSlot(plan.format, next, now) });
    next = nextSlot(plan, next);
  }
  return { due, next };
}
