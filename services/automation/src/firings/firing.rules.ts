/**
 * The states of a firing (API-3). Facts about it arrive on topics without an order between
 * them, so a fact may move it forward but never back.
 */
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

/** True if nothing more needs to be requested: the firing has its outcome. */
export function hasEnded(status: FiringStatus): boolean {
  return rank[status] >= rank.failed;
}

/** The firing's state once its content is ready: waiting for a person, or approved automatically. */
export function afterGeneration(approvalMode: 'auto' | 'manual'): FiringStatus {
  return approvalMode === 'manual' ? 'awaiting_approval' : 'generated';
}

/**
 * The same id however often the slot is settled: content and scheduling then recognize a firing that this
 * database has forgotten.
 */
export function firingIdOfSlot(automationId: string, slot: Date): string {
  return deriveId('firing', automationId, slot.toISOString());
}

/**
 * The same id for a repeat of the request. A key is remembered for 24 hours, so on another day it asks for
 * another run.
 */
export function firingIdOfRun(automationId: string, idempotencyKey: string, now: Date): string {
  return deriveId('firing', automationId, idempotencyKey, now.toISOString().slice(0, 10));
}

export type Failure = { code: string; message: string };

/** For a peer that reports a failure without a reason. */
export const unknownFailure: Failure = { code: 'internal_error', message: 'no reason was given' };

/** The reason of a firing as shown to its owner. */
export function reasonOf({ code, message }: Failure): string {
  return `${code}: ${message}`;
}

/** True if the app of a firing was deleted: a generation misses nothing else. */
export function isAppGone({ code }: Failure): boolean {
  return code === 'not_found';
}
