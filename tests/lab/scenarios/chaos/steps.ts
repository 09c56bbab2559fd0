/** The next request of the load: one of many kinds, in random order. */
import type { Recorder } from '../../kit/run/history.ts';
import { createContentSteps } from './content-steps.ts';
import type { Customer } from './customers.ts';
import type { ChaosLine } from './history.ts';
import { createKeySteps } from './key-steps.ts';
import { askWithKey, pick, type Step } from './requests.ts';
import { createScheduleSteps } from './schedule-steps.ts';

/** Shares of a hundred requests; the rest reads, as does a step with nothing to do. */
const shares = {
  create: 2.2,
  repeat: 1.5,
  decide: 6,
  send: 4,
  improper: 0.4,
  withdraw: 1.2,
  mint: 1.5,
  revoke: 1.5,
  use: 8,
  greedyKey: 20,
  greedyContent: 1,
  greedyAddress: 18,
};

const reads = [
  '/content?limit=5',
  '/schedules?limit=5',
  '/apps',
  '/credits',
  '/accounts?limit=5',
  '/automations?limit=5',
  '/webhooks?limit=5',
  '/events?limit=5',
];

export function createSteps(customers: readonly Customer[], recorder: Recorder<ChaosLine>): () => Step {
  const keys = createKeySteps(customers, recorder);
  const contents = createContentSteps(customers, recorder, content => schedules.addContent(content));
  const schedules = createScheduleSteps(customers, recorder, contents.findUndecided);
  const makers: Record<keyof typeof shares, () => Step | undefined> = { ...keys, ...contents, ...schedules };
  const read = (): Step => askWithKey('read', pick(pick(customers).keys), { path: pick(reads) });

  return () => {
    let drawn = Math.random() * 100;
    for (const [name, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      drawn -= share;
      if (drawn < 0) return makers[name]() ?? read();
    }
    return read();
  };
}
