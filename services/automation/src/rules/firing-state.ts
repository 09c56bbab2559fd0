/**
 * The states of a firing (API-3). Facts about it arrive on topics without an order between
 * them, so a fact may move it forward but never back.
 */
import type { Firing } from '@hookline/shared/contracts/automations';

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
