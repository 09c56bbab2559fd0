/** Wakes the workers of every process when the transaction commits. */
import type { Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';

export function wakeSenders(tx: Transaction): void {
  tx.notifyAfterCommit(channels.due);
}

export function wakePolls(tx: Transaction): void {
  tx.notifyAfterCommit(channels.accepted);
}

export function wakeRequests(tx: Transaction): void {
  tx.notifyAfterCommit(channels.requested);
}
