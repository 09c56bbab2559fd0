/** Automations that fire at every full minute: each slot of the run has exactly one firing. */
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Verdicts } from '../../kit/checks/verdict.ts';
import type { FiringRow } from './evidence.ts';
import { invariants, type Run } from './invariants.ts';

/** This close to the pause a slot may or may not have fired. */
const nearMs = 5_000;
/** A replica whose clock is ahead fires slots early by that much; their posts wait for the slot. */
const aheadMs = 5 * minuteMs;
const over = ['done', 'failed', 'skipped'];

/** @returns the number of slots */
export function checkSlots({ history, evidence }: Run, verdicts: Verdicts): number {
  const find = verdicts.find.bind(null, invariants.slots);
  const firings = Map.groupBy(evidence.firings, ({ automationId, slotMs }) => `${automationId} ${slotMs}`);
  const pausedAt = new Map(
    history.flatMap(line => (line.kind === 'paused' ? [[line.automationId, line.sentMs]] : [])),
  );
  // By a clock that was ahead: their posts are due after the end of the run.
  const isForLater = new Set(
    evidence.schedules.flatMap(row => (row.isDue || !row.firingId ? [] : [row.firingId])),
  );
  const allowed = new Set<string>();
  let slots = 0;
  for (const line of history) {
    if (line.kind !== 'automation') continue;
    const pausedMs = pausedAt.get(line.automationId) ?? 0;
    const first = Math.floor(line.doneMs / minuteMs) * minuteMs;
    for (let slotMs = first; slotMs <= pausedMs + aheadMs + minuteMs; slotMs += minuteMs) {
      const name = `${line.automationId} ${slotMs}`;
      allowed.add(name);
      const isCertain = slotMs > line.doneMs && slotMs < pausedMs - nearMs;
      const found = firings.get(name) ?? [];
      if (isCertain) slots += 1;
      if (isCertain && found.length === 0) find('lost', `${name} has no firing`);
      for (const extra of found.slice(1)) find('duplicated', `${name} fired again as ${extra.id}`);
      if (found[0]) judgeFiring(found[0], isForLater.has(found[0].id), find);
    }
  }
  for (const name of firings.keys()) if (!allowed.has(name)) find('unexpected', `${name} is no slot`);
  for (const rows of [evidence.contents, evidence.schedules]) {
    const perFiring = Map.groupBy<string | null, { firingId: string | null }>(
      rows,
      ({ firingId }) => firingId,
    );
    for (const [firingId, { length }] of perFiring)
      if (firingId !== null && length > 1) find('duplicated', `${firingId} has ${length} of one kind`);
  }
  return slots;
}

function judgeFiring(
  { id, status, reason }: FiringRow,
  isForLater: boolean,
  find: (verdict: 'ok' | 'lost' | 'recovered', what: string) => void,
): void {
  const what = `${id} is ${status} ${reason ?? ''}`;
  if (isForLater || status === 'done') find('ok', what);
  else find(over.includes(status) ? 'recovered' : 'lost', what);
}
