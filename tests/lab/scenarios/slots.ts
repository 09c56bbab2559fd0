/**
 * Times at which automations fire. Every slot is settled exactly once whatever the outages, on an injected
 * clock; the zone tables and both edges of every clock change are compared with Temporal, a second library,
 * in every IANA zone.
 */
import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import { dayMs } from '@hookline/shared/kernel/durations';
import { nextSlots } from '@hookline/shared/kernel/posting-times';
import fc from 'fast-check';
import { playCase, slotCase, threeYearCase } from '../../../services/automation/test/slot-cases.ts';
import { allZones, changesOf, slotsBetween } from '../../../services/automation/test/slot-oracle.ts';
import { defineScenario, type Outcome } from '../kit/run/scenario.ts';

const sizes = {
  usual: { cases: 12_000, threeYearCases: 100, zoneYears: 3 },
  long: { cases: 120_000, threeYearCases: 1_000, zoneYears: 12 },
};
const everyDay: PostingTime['days'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const edgeTimes = [
  '00:00',
  '00:30',
  '01:00',
  '01:30',
  '02:00',
  '02:15',
  '02:30',
  '02:59',
  '03:00',
  '12:00',
  '23:30',
];

const counts = { cases: 0, fired: 0, skipped: 0 };

function property(arbitrary: typeof slotCase, numRuns: number): void {
  fc.assert(
    fc.property(arbitrary, one => {
      const { fired, skipped } = playCase(one);
      counts.cases += 1;
      counts.fired += fired;
      counts.skipped += skipped;
    }),
    { numRuns },
  );
}

/** Two days around every change of every zone. @returns the number of changes checked */
function compareZones(zoneYears: number): number {
  const from = new Date('2026-01-01T00:00:00Z');
  const until = new Date(Date.UTC(2026 + zoneYears, 0, 1));
  const postingTimes = edgeTimes.map(time => ({ time, days: everyDay }));
  let changes = 0;
  for (const timezone of allZones) {
    for (const change of changesOf(timezone, from, until)) {
      changes += 1;
      const after = new Date(change.getTime() - dayMs);
      const expected = slotsBetween({ timezone, postingTimes }, after, new Date(change.getTime() + dayMs));
      const found = nextSlots({ timezone, postingTimes }, after, expected.length);
      if (found.join() !== expected.join()) {
        throw new Error(
          `${timezone} at ${change.toISOString()}: ${found.join()}, Temporal: ${expected.join()}`,
        );
      }
    }
  }
  return changes;
}

async function prove(size: (typeof sizes)['usual']): Promise<Outcome> {
  property(slotCase, size.cases);
  property(threeYearCase, size.threeYearCases);
  const changes = compareZones(size.zoneYears);
  const isEnough =
    counts.cases >= 10_000 && counts.fired >= 1_000 && counts.skipped >= 1_000 && changes >= 500;
  if (!isEnough) console.log('  too little happened');
  return {
    isProven: isEnough,
    figures: { ...counts, zones: allZones.length, 'clock changes': changes },
  };
}

export const scenario = defineScenario({
  about: 'slots of automations in every zone and at every clock change, against a second library',
  takes: 'about 1 minute',
  long: 'ten times the cases, about 10 minutes',
  run: ({ isLong }) => prove(isLong ? sizes.long : sizes.usual),
});
