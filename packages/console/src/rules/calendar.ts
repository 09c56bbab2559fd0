/** What a calendar shows on its days, and where a post or a deck may be put. */
import type { NextFiring, Schedule } from '../types.ts';

export type Look = 'waiting' | 'held' | 'sending' | 'due' | 'sent' | 'failed' | 'planned' | 'free';

export type Entry = {
  id: string;
  at: string;
  look: Look;
  accountId: string;
  schedule: Schedule | null;
  /** It is null for a free slot, and for an automation's plan whose deck is not written yet. */
  title: string | null;
};

export type Slot = { accountId: string; at: string };

type Given = {
  schedules: readonly Schedule[];
  firings: readonly NextFiring[];
  slots: readonly Slot[];
  isHeld: (contentId: string) => boolean;
  dayOf: (at: string) => string;
};

/** Each day in the order of the clock. */
export function entriesByDay({ schedules, firings, slots, isHeld, dayOf }: Given): Map<string, Entry[]> {
  const all: Entry[] = [
    ...schedules.map(schedule => ({
      id: schedule.id,
      at: schedule.scheduledFor,
      look: lookOf(schedule, isHeld(schedule.contentId)),
      accountId: schedule.tiktokAccountId,
      schedule,
      title: schedule.title,
    })),
    ...firings.map(({ automationId, fireAt, tiktokAccountId }) => ({
      id: `${automationId} ${fireAt}`,
      at: fireAt,
      look: 'planned' as const,
      accountId: tiktokAccountId,
      schedule: null,
      title: null,
    })),
    ...slots.map(({ accountId, at }) => ({
      id: `${accountId} ${at}`,
      at,
      look: 'free' as const,
      accountId,
      schedule: null,
      title: null,
    })),
  ];
  all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return Map.groupBy(all, ({ at }) => dayOf(at));
}

function lookOf({ status }: Schedule, isHeld: boolean): Look {
  if (status !== 'pending') return status;
  return isHeld ? 'held' : 'waiting';
}

export type Run = { isMovable: boolean; entries: Entry[] };

/** The entries of a day in parts that can be moved and parts that cannot, still in their order. */
export function runsOf(entries: readonly Entry[], canMove: (entry: Entry) => boolean): Run[] {
  const runs: Run[] = [];
  for (const entry of entries) {
    const isMovable = canMove(entry);
    const last = runs.at(-1);
    if (last?.isMovable === isMovable) last.entries.push(entry);
    else runs.push({ isMovable, entries: [entry] });
  }
  return runs;
}

/** @param now the present day and time of the workspace, YYYY-MM-DDTHH:MM */
export function mayPutOn(day: string, now: string): boolean {
  return day >= now.slice(0, 10);
}

/** The time that a form begins with: nine o'clock, today the next full hour. @returns null on a day that is over */
export function timeOn(day: string, now: string): string | null {
  if (!mayPutOn(day, now)) return null;
  if (day > now.slice(0, 10)) return `${day}T09:00`;
  const hour = Number(now.slice(11, 13)) + 1;
  return hour === 24 ? `${day}T23:59` : `${day}T${String(hour).padStart(2, '0')}:00`;
}
