/** Facts about a firing arrive in no order (API-3), so a fact may move it forward but never back. */
import type { Firing } from '@hookline/shared/contracts/automations';
import { deriveId } from '@hookline/shared/kernel/derive-id';

export type FiringStatus = Firing['status'];

const rank: Record<FiringStatus, number> = {
  fired: 0,
  generated: 1,
  awaiting_approval: 2,
  scheduled: 3,
  failed: 4,
  skipped: 4,
  // A failed schedule can be retried and succeed, so the post takes precedence.
  done: 5,
};

export function canMove(from: FiringStatus, to: FiringStatus): boolean {
  return rank[to] > rank[from];
}

export function hasEnded(status: FiringStatus): boolean {
  return rank[status] >= rank.failed;
}

export function afterGeneration(approvalMode: 'auto' | 'manual'): FiringStatus {
  return approvalMode === 'manual' ? 'awaiting_approval' : 'generated';
}

/** Returns what was done to the automation that an approved content is no longer scheduled for, or null. */
export function stopOf(
  automation: { deletedAt: Date | null; status: string; approvalMode: string; awaitsConfirmation: boolean },
  isByItself: boolean,
): string | null {
  if (automation.deletedAt) return 'deleted';
  if (automation.status === 'paused') return 'paused';
  if (!isByItself) return null;
  if (automation.approvalMode === 'manual') return 'set to manual approval';
  return automation.awaitsConfirmation ? 'left without a confirmation of its brief' : null;
}

/** A slot that is settled again has the same id, so that content and scheduling recognize a lost firing. */
export function firingIdOfSlot(automationId: string, slot: Date): string {
  return deriveId('firing', automationId, slot.toISOString());
}

/** A repeat has the same id. A key is remembered for 24 hours, so another day is part of it. */
export function firingIdOfRun(automationId: string, idempotencyKey: string, now: Date): string {
  return deriveId('firing', automationId, idempotencyKey, now.toISOString().slice(0, 10));
}

export type Failure = { code: string; message: string };

export const unknownFailure: Failure = { code: 'internal_error', message: 'no reason was given' };

export function reasonOf({ code, message }: Failure): string {
  return `${code}: ${message}`;
}

/** A generation misses nothing but the app of its firing. */
export function isAppGone({ code }: Failure): boolean {
  return code === 'not_found';
}
