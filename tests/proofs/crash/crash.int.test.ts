import { describe, expect, it } from 'vitest';
import { journeys } from './journeys.ts';
import { walk } from './lane.ts';

/** Where nothing may be left out: what the journey cannot do without. */
const cornerstones = [
  /idempotency_keys|inbox/,
  /daily_generations/,
  /credit_reservations/,
  /publish to the bus/,
];

describe('kill -9 at every point of the charge path', () => {
  it.concurrent.each(journeys.map(journey => ({ name: journey.name, journey })))(
    '$name: one content, one charge, the same id, nothing set aside',
    { timeout: 240_000 },
    async ({ journey }) => {
      const { points, kills, complaints } = await walk(journey, () => false);
      expect(complaints).toEqual([]);
      expect([...kills.keys()]).toEqual(points);
      if (journey.victim === 'gateway') expect(points.length).toBeGreaterThanOrEqual(8);
      else for (const one of cornerstones) expect(points.filter(point => one.test(point))).not.toEqual([]);
    },
  );
});
