import { hourMs } from '@hookline/shared/kernel/durations';
import { nextSlot } from '@hookline/shared/kernel/posting-times';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import { findFault } from './fault.ts';
import { moveOn } from './plan-fields.rules.ts';
import { armAutomation, listSetAside } from './queries.ts';

/** A new version may settle what was set aside, so it looks at the start and once an hour. */
export function armSetAsideWorker(deps: AutomationDeps): Worker {
  return {
    name: 'arm-set-aside',
    work: onePerPoll(() => armSetAside(deps)),
    pollMs: hourMs,
    needsSteadyClock: true,
  };
}

const batchMax = 200;

/** Slots that passed in the meantime are not made up for: the first of them is recorded as failed. */
async function armSetAside({ db, now, log }: Pick<AutomationDeps, 'db' | 'now' | 'log'>): Promise<void> {
  let armed = 0;
  let afterId = '';
  for (;;) {
    const automations = await listSetAside(db, afterId, batchMax);
    const last = automations.at(-1);
    if (!last) break;
    afterId = last.id;
    for (const automation of automations) {
      if (findFault(automation) !== null) continue;
      if (await armAutomation(db, moveOn(automation, nextSlot(automation, now())))) armed += 1;
    }
  }
  if (armed > 0) log.info({ armed }, 'automations that had been set aside are armed again');
}
