import { describe, expect, it } from 'vitest';
import { firingJourney, requestJourney } from './journeys.ts';
import { walk } from './lane.ts';

/** What a journey cannot do without: it passed all of them, or the probe missed some of its points. */
const cornerstones = [
  /idempotency_keys|inbox/,
  /daily_generations/,
  /credit_reservations/,
  /publish to the bus/,
];

/**
 * A subset of the points, so that the ring stays short: after everything that leaves the process, and before
 * a reservation is made or ended, when a deck is claimed or its images are there. A kill at another statement
 * of a transaction leaves what one of these leaves. `npm run prove -- crash` strikes them all.
 */
const isStruckHere = (point: string): boolean =>
  /^after \w+: (commit|publish)/.test(point) || /^before .+credit_reservations/.test(point);

describe('kill -9 in the charge path', () => {
  it.concurrent.each([requestJourney, firingJourney])(
    '$name: one content, one charge, the same id, nothing set aside',
    { timeout: 240_000 },
    async journey => {
      const passed: string[] = [];
      const isStruck = (point: string): boolean => {
        passed.push(point);
        return isStruckHere(point);
      };
      const { points, kills, complaints } = await walk(journey, () => false, { isStruck });
      expect(complaints).toEqual([]);
      expect([...kills.keys()]).toEqual(points);
      for (const one of cornerstones) expect(passed.filter(point => one.test(point))).not.toEqual([]);
    },
  );
});
