import { appendEvents } from '@hookline/shared/bus';
import { automationFired, automationSkipped } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { moveOn } from '../automations/plan-fields.rules.ts';
import { writeProgress } from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import { type DueSlot, decideSlot, dueSlots } from '../slots/due-slots.rules.ts';
import { firingsLeft } from '../slots/plan-end.rules.ts';
import { firingIdOfSlot } from './firing.rules.ts';
import { insertFirings, writeTopics } from './queries.ts';
import { type FiringRow, type NewFiring, toFiring } from './record.ts';

// After a year offline an automation has up to 18,000 slots to record. A transaction of the worker takes this
// many in total, at least one of each automation, and the next one continues.
export const slotsMax = 500;

export const frozenReason = 'the workspace was about to be deleted';

/** `next` is the slot after those that are due; null leaves one that was set aside so. */
export type PlannedSlots = {
  automation: AutomationRow;
  due: (DueSlot & { firingId?: string })[];
  next: Date | null;
};

/**
 * Computes the due slots of an armed automation (D-12). A slot takes about 50 µs, so plan many of them
 * outside a transaction.
 */
export function planDueSlots(
  automation: AutomationRow,
  now: Date,
  countMax = Number.POSITIVE_INFINITY,
): PlannedSlots {
  if (automation.nextFireAt === null) throw new Error('an automation without a next slot');
  return { automation, ...dueSlots({ ...automation, nextFireAt: automation.nextFireAt }, now, countMax) };
}

/** No slot fires while the deletion of its workspace waits. */
export function skipSlots<T extends Pick<PlannedSlots, 'due'>>(slots: T): T {
  const decision = { fires: false, reason: frozenReason } as const;
  return { ...slots, due: slots.due.map(({ slot }) => ({ slot, decision })) };
}

/**
 * Settles planned slots of automations whose rows the caller has locked, so that no other process counts their
 * firings. Writes the firings, `automation.fired`, and where each automation goes on; of slots skipped in a row only the
 * newest has an `automation.skipped`, since an outage of a year would send 18,000.
 * @returns what was written; the caller counts the firings after the commit
 */
export async function settleSlots(
  tx: Transaction,
  planned: readonly PlannedSlots[],
  now: Date,
): Promise<{ firings: FiringRow[]; automations: AutomationRow[] }> {
  const within = planned.map(cutAtLimit);
  const written = await insertFirings(
    tx,
    within.flatMap(({ automation, due }) => due.map(slot => newFiring(automation, slot, now))),
  );
  const perAutomation = Map.groupBy(written, ({ automationId }) => automationId);
  const settled = within.map(({ automation, next }) => {
    const firings = giveTopics(automation, perAutomation.get(automation.id) ?? []);
    const fired = firings.filter(({ status }) => status === 'fired').length;
    return { automation, firings, moved: moveOn(automation, next, fired) };
  });
  const firings = settled.flatMap(one => one.firings);
  const automations = settled.map(({ moved }) => moved);
  await writeTopics(tx, firings);
  await writeProgress(tx, automations, now);
  const fired = settled.flatMap(({ automation, firings }) =>
    firings.filter(({ status }) => status === 'fired').map(firing => firedEvent(automation, firing, now)),
  );
  await appendEvents(tx, automationFired, fired);
  const skipped = settled.flatMap(({ automation, firings, moved: { nextFireAt } }) => {
    const newest = firings.findLast(({ status }) => status === 'skipped');
    const isLast =
      nextFireAt === null || decideSlot(automation.format, nextFireAt, now).fires || nextFireAt > now;
    return newest && isLast ? [skippedEvent(automation, newest, now)] : [];
  });
  await appendEvents(tx, automationSkipped, skipped);
  return { firings, automations };
}

/** Slots after the last firing that `maxFirings` allows are not settled. */
function cutAtLimit({ automation, due, next }: PlannedSlots): PlannedSlots {
  let left = firingsLeft(automation) ?? Number.POSITIVE_INFINITY;
  const end = due.findIndex(({ decision }) => {
    if (left === 0) return true;
    if (decision.fires) left -= 1;
    return false;
  });
  const first = due[end];
  return first ? { automation, due: due.slice(0, end), next: first.slot } : { automation, due, next };
}

function newFiring(
  { id: automationId, accountId, approvalMode }: AutomationRow,
  { slot, decision, firingId = firingIdOfSlot(automationId, slot) }: PlannedSlots['due'][number],
  now: Date,
): NewFiring {
  const outcome = decision.fires
    ? { status: 'fired' as const, reason: null }
    : { status: 'skipped' as const, reason: decision.reason };
  return { id: firingId, automationId, accountId, slot, approvalMode, ...outcome, now };
}

/** Topics are given in turn to the firings that were written, so that none is used twice or passed over. */
function giveTopics({ topics, topicIndex }: AutomationRow, firings: readonly FiringRow[]): FiringRow[] {
  let turn = topicIndex;
  return firings
    .toSorted((left, right) => left.slot.getTime() - right.slot.getTime())
    .map(firing =>
      firing.status === 'fired' ? { ...firing, topic: topics[turn++ % topics.length] ?? null } : firing,
    );
}

/** A firing that is published again is approved by itself only if it was to be from the start. */
const approvalModeOf = (automation: AutomationRow, firing: FiringRow) =>
  firing.approvalMode === 'manual' ? 'manual' : automation.approvalMode;

/** Content creates one deck for the firing, however often the event arrives. */
export function firedEvent(automation: AutomationRow, firing: FiringRow, now: Date) {
  return {
    accountId: automation.accountId,
    subject: automation.id,
    source: 'automation',
    at: now,
    data: {
      automationId: automation.id,
      firingId: firing.id,
      appId: automation.appId,
      brief: firing.topic === null ? automation.brief : { ...automation.brief, topic: firing.topic },
      // The flag is set only for an automation that approves by itself.
      approvalMode: automation.awaitsConfirmation
        ? ('unconfirmed' as const)
        : approvalModeOf(automation, firing),
      authorId: automation.authorId ?? undefined,
      slot: firing.slot.toISOString(),
    },
  };
}

/** @param firstRepeat whether its owners are to be told */
export function skippedEvent(
  automation: Pick<AutomationRow, 'id' | 'accountId'>,
  firing: FiringRow,
  now: Date,
  firstRepeat = false,
) {
  return {
    accountId: automation.accountId,
    subject: automation.id,
    source: 'automation',
    at: now,
    data: { firing: toFiring(firing), firstRepeat },
  };
}
