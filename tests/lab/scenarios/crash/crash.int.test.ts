import { describe, expect, it } from 'vitest';
import { firingJourney, requestJourney } from './journeys.ts';
import { walk } from './lane.ts';

/** The points that must always be covered: those the journey cannot do without. */
const cornerstones = [
  /idempotency_keys|inbox/,
  /daily_generations/,
  /credit_reservations/,
  /publish to the bus/,
];

/**
 * A subset of the points, so that the ring stays short: after everything that leaves the process, and before
 * the cornerstones. `npm run prove -- crash` strikes them all.
 */
const isStruckHere = (point: string): boolean =>
  /^after \w+: (commit|publish)/.test(point) ||
  (/^before .+(?<! #2)$/.test(point) && cornerstones.some(one => one.test(point)));

describe('kill -9 in the charge path', () => {
  it.concurrent.each([requestJourney, firingJourney])(
    '$name: one content, one charge, the same id, nothing set aside',
    { timeout: 240_000 },
    async journey => {
      const { points, kills, complaints } = await walk(journey, () => false, { isStruck: isStruckHere });
      expect(complaints).toEqual([]);
      expect([...kills.keys()]).toEqual(points);
      for (const one of cornerstones) expect(points.filter(point => one.test(point))).not.toEqual([]);
    },
  );
});
