import { catchUpMs } from './next-slot.ts';

export type SlotDecision = { fires: true } | { fires: false; reason: string };

/**
 * Decides if a due slot fires now (D-12: missed by at most 15 min; `hook_video` is stored and never runs).
 */
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
