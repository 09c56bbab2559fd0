/**
 * The states of a firing (API-3). Facts about it arrive on topics that have no order between
 * them, so a fact may move it forward and never back.
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
  // A failed schedule can be retried and then succeed: the post is the last word.
  done: 5,
};

export function canMove(from: FiringStatus, to: FiringStatus): boolean {
  return rank[to] > rank[from];
}

/** True when nothing more is to be asked for: the firing has its outcome. */
export function hasEnded(status: FiringStatus): boolean {
  return rank[status] >= rank.failed;
}

/** Where a ready content leaves its firing: waiting for a person, or on its own way to approval. */
export function afterGeneration(approvalMode: 'auto' | 'manual'): FiringStatus {
  return approvalMode === 'manual' ? 'awaiting_approval' : 'generated';
}
