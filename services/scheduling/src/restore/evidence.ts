import type { Bus } from '@hookline/shared/bus';
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Sql } from '@hookline/shared/postgres';
import { ownEventsOf, ownTopic } from '../pauses/own-event.rules.ts';
import { listUnknown } from '../pauses/queries-witness.ts';

export type Evidence = {
  /** The bus has a later event of these schedules than the database. */
  scheduleIds: ReadonlySet<string>;
  /** The bus reaches back to the instant that the data are from. */
  isWhole: boolean;
};

// An event is published a little after its time, and the order of two transactions may differ from it.
const marginMs = 10 * minuteMs;

/** Call it before the sequences leap, and before events are published a second time. */
export async function readEvidence(sql: Sql, bus: Pick<Bus, 'readBack'>, since: Date): Promise<Evidence> {
  const sinceMs = since.getTime();
  const scheduleIds = new Set<string>();
  let isWhole = false;
  await bus.readBack(ownTopic, async messages => {
    const events = ownEventsOf(messages);
    for (const { scheduleId } of await listUnknown(sql, events)) scheduleIds.add(scheduleId);
    isWhole ||= events.some(({ timeMs }) => timeMs <= sinceMs);
    return events.length === 0 || events.some(({ timeMs }) => timeMs > sinceMs - marginMs);
  });
  return { scheduleIds, isWhole };
}
