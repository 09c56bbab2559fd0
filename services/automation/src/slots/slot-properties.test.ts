import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import { dayMs } from '@hookline/shared/kernel/durations';
import { nextSlots } from '@hookline/shared/kernel/posting-times';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playCase, slotCase, threeYearCase } from '../../test/slot-cases.ts';
import { allZones, changesOf, slotsBetween } from '../../test/slot-oracle.ts';

const everyDay: PostingTime['days'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

describe('every slot', () => {
  it('every slot is settled once, fires when missed by at most 15 min, and is what Temporal says', () => {
    const counts = { fired: 0, skipped: 0 };
    fc.assert(
      fc.property(slotCase, one => {
        const { fired, skipped } = playCase(one);
        counts.fired += fired;
        counts.skipped += skipped;
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(threeYearCase, one => void playCase(one)),
      { numRuns: 3 },
    );
    expect(Math.min(counts.fired, counts.skipped)).toBeGreaterThan(30);
  });
});

describe('the zone tables', () => {
  it('slots are those of Temporal in every IANA zone, at both edges of the next year', () => {
    expect(allZones.length).toBeGreaterThan(400);
    let edges = 0;
    for (const timezone of allZones) {
      expect(isTimezone(timezone), timezone).toBe(true);
      const changes = changesOf(timezone, new Date('2027-01-01T00:00:00Z'), new Date('2028-01-01T00:00:00Z'));
      edges += changes.length;
      for (const change of [...changes, new Date('2027-06-15T12:00:00Z')]) {
        const from = new Date(change.getTime() - dayMs);
        const until = new Date(change.getTime() + dayMs);
        const postingTimes = ['00:00', '01:30', '02:30', '12:00'].map(time => ({ time, days: everyDay }));
        const expected = slotsBetween({ timezone, postingTimes }, from, until);
        expect(nextSlots({ timezone, postingTimes }, from, expected.length), timezone).toEqual(expected);
      }
    }
    expect(edges).toBeGreaterThan(150);
  });
});
