import { describe, expect, it } from 'vitest';
import { journeys, requestJourney } from './journeys.ts';
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
 * the cornerstones; at the gateway after each step but its reads. `npm run prove -- crash` strikes them all.
 */
const isStruckHere = (point: string): boolean =>
  /^after \w+: (commit|publish)/.test(point) ||
  (/^before .+(?<! #2)$/.test(point) && cornerstones.some(one => one.test(point)));
const isStruckAtGateway = (point: string): boolean => /^after \w+: (?!select|with)/.test(point);

describe('kill -9 in the charge path', () => {
  it.concurrent.each(journeys.map(journey => ({ name: journey.name, journey })))(
    '$name: one content, one charge, the same id, nothing set aside',
    { timeout: 240_000 },
    async ({ journey }) => {
      const isStruck = journey.victim === 'gateway' ? isStruckAtGateway : isStruckHere;
      const { points, kills, complaints } = await walk(journey, () => false, { isStruck });
      expect(complaints).toEqual([]);
      expect([...kills.keys()]).toEqual(points);
      if (journey.victim === 'gateway') expect(points.length).toBeGreaterThanOrEqual(7);
      else for (const one of cornerstones) expect(points.filter(point => one.test(point))).not.toEqual([]);
    },
  );

  it('leaves nothing set aside when the reaper comes before the repeat', { timeout: 120_000 }, async () => {
    // Every other round waits for the reaper.
    const isStruck = (point: string) => /^after request: commit/.test(point);
    const { points, kills, complaints } = await walk(requestJourney, round => round < 2, { isStruck });
    expect(complaints).toEqual([]);
    expect([...kills.values()]).toEqual(points.map(() => 2));
  });

  it('complains when the charge is made outside the transaction of the content', {
    timeout: 60_000,
  }, async () => {
    // The charge exists and the content does not.
    const isStruck = (point: string) => /^after request: with held as/.test(point);
    const { kills, complaints } = await walk(requestJourney, () => false, { isPlanted: true, isStruck });
    expect(kills.size).toBe(1);
    expect(complaints.join('\n')).toMatch(/1 charges for 0 ready contents/);
  });
});
