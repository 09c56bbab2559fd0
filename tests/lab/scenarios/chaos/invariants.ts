/** The invariants of a run, and the evidence they are judged from. */
import type { PlatformLog } from '../../kit/checks/platform-log.ts';
import type { Recorded } from '../../kit/run/history.ts';
import type { Evidence } from './evidence.ts';
import type { ChaosLine } from './history.ts';

export type Run = {
  history: readonly Recorded<ChaosLine>[];
  evidence: Evidence;
  platform: PlatformLog;
};

export const invariants = {
  contents: 'acknowledged contents and decisions are there, and 201 bodies come again byte for byte',
  ledger: 'the ledger is what was made, and no balance is below 0',
  posts:
    'what must not be posted is not: withdrawn, refused, not approved, without the scope; none is unresolved',
  webhooks: 'every committed event at every endpoint of its account; again only with the same id',
  access: 'no revoked key passes after its answer, no window is over its limit',
  slots: 'one firing per slot of an automation, one content and one schedule per firing',
  rest: 'every replica is ready again by itself, nothing is left over, dead letters are the planted poison',
} as const;
