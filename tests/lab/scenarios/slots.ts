/**
 * `npm run test:slots [-- --long]`: when automations fire. Every slot is settled exactly once whatever the outages,
 * on an injected clock; the zone tables and both edges of every clock change are those of Temporal, the second
 * library, in every IANA zone. About 1 minute, `--long` about 10.
 */
import { parseArgs } from 'node:util';
import { nextSlots } from '@hookline/automation/testing';
import type { PostingTime } from '@hookline/shared/contracts/automations';
import fc from 'fast-check';
import { playCase, slotCase, threeYearCase } from '../../../services/automation/test/slot-cases.ts';
import { allZones, changesOf, slotsBetween } from '../../../services/automation/test/slot-oracle.ts';

const { values } = parseArgs({ options: { long: { type: 'boolean', default: false } } });
const scale = values.long ? 10 : 1;
const caseRuns = 12_000 * scale;
const threeYearRuns = 100 * scale;
const zoneYears = 3 * (values.long ? 4 : 1);
const dayMs = 24 * 3_600_000;
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

/** Two days around every change of every zone. @returns how many changes were looked at. */
function compareZones(): number {
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

const began = performance.now();
let verdict = 'ok';
let changes = 0;
try {
  property(slotCase, caseRuns);
  property(threeYearCase, threeYearRuns);
  changes = compareZones();
} catch (error) {
  verdict = 'FAILED';
  process.stdout.write(`${(error as Error).message}\n`);
}
const enough = counts.cases >= 10_000 && counts.fired >= 1_000 && counts.skipped >= 1_000 && changes >= 500;
if (verdict === 'ok' && !enough) verdict = 'too little happened';
process.stdout.write(
  `${verdict}: cases ${counts.cases}, fired ${counts.fired}, skipped ${counts.skipped}, zones ${allZones.length}, clock changes ${changes}, ${Math.round((performance.now() - began) / 1000)} s\n`,
);
process.exit(verdict === 'ok' ? 0 : 1);
