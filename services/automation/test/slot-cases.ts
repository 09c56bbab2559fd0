/**
 * Every slot fires once: plans, zones and outages made up by fast-check, the worker's looks played on an injected
 * clock, the outcome held against the oracle. Shared by the unit ring (few cases) and the proof run (many).
 */
import { type PostingTime, weekdays } from '@hookline/shared/contracts/automations';
import fc from 'fast-check';
import { type DueSlot, dueSlots } from '../src/rules/due-slots.ts';
import { catchUpMs, nextSlot } from '../src/rules/next-slot.ts';
import { allZones, changesOf, slotsBetween } from './slot-oracle.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const yearsFrom = Date.UTC(2026, 0, 1);
const yearsTo = Date.UTC(2029, 0, 1);
/** As the worker: so many slots of one automation in a transaction. */
const slotsMax = 500;

export type SlotCase = {
  timezone: string;
  postingTimes: PostingTime[];
  start: Date;
  /** Pauses between two looks of the worker, minutes. Most are its usual ones, some are outages. */
  pausesMin: number[];
};

const time = fc
  .tuple(fc.nat(23), fc.oneof(fc.constantFrom(0, 15, 30, 45, 59), fc.nat(59)))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

const postingTime: fc.Arbitrary<PostingTime> = fc.record({
  // The hours in which clocks are changed come up more often.
  time: fc.oneof(
    time,
    fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:15', '02:30', '03:00', '23:59'),
  ),
  days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 7 }),
});

const zone = fc.constantFrom(...allZones);

/** Any moment of the three years, or shortly before a change of the zone's clocks. */
function startIn(timezone: string): fc.Arbitrary<Date> {
  const anywhere = fc.integer({ min: yearsFrom, max: yearsTo - 40 * dayMs }).map(ms => new Date(ms));
  const changes = changesOf(timezone, new Date(yearsFrom + 5 * dayMs), new Date(yearsTo - 40 * dayMs));
  if (changes.length === 0) return anywhere;
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: 0, max: 3 * 24 * 60 }))
    .map(([change, beforeMin]) => new Date(change.getTime() - beforeMin * minuteMs));
  return fc.oneof({ arbitrary: nearChange, weight: 3 }, { arbitrary: anywhere, weight: 1 });
}

/** Days around a change: many looks of a running worker, some outages between them. */
const shortPauses = fc.array(
  fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 14 }), weight: 12 },
    { arbitrary: fc.integer({ min: 15, max: 600 }), weight: 2 },
    { arbitrary: fc.integer({ min: 600, max: 3 * 24 * 60 }), weight: 1 },
  ),
  { minLength: 20, maxLength: 120 },
);

/** About three years in outages of up to six weeks. */
const yearPauses = fc.array(fc.integer({ min: 1, max: 42 * 24 * 60 }), { minLength: 48, maxLength: 52 });

function caseOf(pausesMin: fc.Arbitrary<number[]>, startOf: (zone: string) => fc.Arbitrary<Date>) {
  return zone.chain(timezone =>
    fc.record({
      timezone: fc.constant(timezone),
      postingTimes: fc.array(postingTime, { minLength: 1, maxLength: 4 }),
      start: startOf(timezone),
      pausesMin,
    }),
  );
}

export const slotCase: fc.Arbitrary<SlotCase> = caseOf(shortPauses, startIn);
export const threeYearCase: fc.Arbitrary<SlotCase> = caseOf(yearPauses, () =>
  fc.constant(new Date(yearsFrom)),
);

export type SlotCounts = { fired: number; skipped: number };

/** Plays the worker's looks. @throws Error naming the case when a slot fires twice, never, too late, or out of order. */
export function playCase({ timezone, postingTimes, start, pausesMin }: SlotCase): SlotCounts {
  const plan = { timezone, postingTimes, format: 'slideshow' as const };
  let nextFireAt = nextSlot(plan, start);
  let now = start;
  const settled: (DueSlot & { at: Date })[] = [];
  for (const pause of pausesMin) {
    now = new Date(now.getTime() + pause * minuteMs);
    const { due, next } = dueSlots({ ...plan, nextFireAt }, now, slotsMax);
    for (const one of due) settled.push({ ...one, at: now });
    nextFireAt = next;
  }
  const expected = slotsBetween(plan, start, now).map(slot => slot.toISOString());
  const found = settled.map(({ slot }) => slot.toISOString());
  if (found.join() !== expected.join()) {
    throw new Error(`slots ${found.join(' ')} where Temporal says ${expected.join(' ')}`);
  }
  const counts = { fired: 0, skipped: 0 };
  for (const { slot, decision, at } of settled) {
    const isLate = at.getTime() - slot.getTime() > catchUpMs;
    if (decision.fires === isLate) throw new Error(`${slot.toISOString()} settled at ${at.toISOString()}`);
    if (!decision.fires && !decision.reason.startsWith('missed: ')) throw new Error(decision.reason);
    counts[decision.fires ? 'fired' : 'skipped'] += 1;
  }
  return counts;
}
