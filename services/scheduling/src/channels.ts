import type { Transaction } from '@hookline/shared/postgres';

/** Each worker has its own channel of this schema, so that none wakes the others. */
export const channels = {
  /** A schedule may be due, or its creator free. */
  due: 'scheduling_work',
  /** The outcome of an accepted call must be polled. */
  accepted: 'scheduling_polls',
  /** An automation requested a schedule. */
  requested: 'scheduling_requests',
} as const;

export function wakeSenders(tx: Transaction): void {
  tx.notifyAfterCommit(channels.due);
}

export function wakePolls(tx: Transaction): void {
  tx.notifyAfterCommit(channels.accepted);
}

export function wakeRequests(tx: Transaction): void {
  tx.notifyAfterCommit(channels.requested);
}
