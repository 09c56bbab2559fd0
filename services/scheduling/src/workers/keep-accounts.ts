import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { keepAccounts } from '../actions/keep-accounts.ts';
import type { Parts } from '../parts.ts';

const everyMs = 5 * 60_000;

/** Looks after grants ahead of their posts: at start and every five minutes. */
export function startKeepAccounts(parts: Parts): WorkerLoop {
  return startWorkerLoop({
    name: 'keep-accounts',
    pollMs: everyMs,
    log: parts.log,
    work: () => keepAccounts(parts),
  });
}
