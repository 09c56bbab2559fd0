/**
 * kill -9 at every point of the charge path, repeatedly, on six databases in parallel. After each kill one
 * retry with the same key must find one content, one charge, nothing set aside.
 */
import { defineScenario, type Given, type Outcome } from '../../kit/run/scenario.ts';
import { firingJourney, gatewayJourney, type Journey, requestJourney } from './journeys.ts';
import { type LaneResult, walk } from './lane.ts';

/** Databases that share the points of a journey, about equally. */
const lanesOf = new Map<Journey, number>([
  [requestJourney, 2],
  [firingJourney, 3],
  [gatewayJourney, 1],
]);
const longRounds = 50;
const shownMax = 20;

function print({ journey, points, kills, complaints }: LaneResult): void {
  const least = Math.min(...points.map(point => kills.get(point) ?? 0));
  console.log(`  ${journey}: ${points.length} points, each killed at least ${least} times`);
  for (const complaint of complaints.slice(0, shownMax)) console.log(`    ${complaint}`);
  if (complaints.length > shownMax) console.log(`    and ${complaints.length - shownMax} more`);
}

async function prove({ minutes, isTimed, isLong, plant }: Given): Promise<Outcome> {
  const until = isLong && !isTimed ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000;
  const roundsMax = isLong ? longRounds : Number.POSITIVE_INFINITY;
  const mayGoOn = (round: number) => plant === null && round < roundsMax && Date.now() < until;
  // The defect is the content service's: at the gateway there is nothing to find.
  const walked = [...lanesOf].filter(([{ victim }]) => plant === null || victim === 'content');
  const planted = plant ? { isPlanted: true, complaintsMax: 5 } : {};
  const results = await Promise.all(
    walked.flatMap(([journey, lanes]) =>
      Array.from({ length: lanes }, (_, lane) =>
        walk(journey, mayGoOn, { ...planted, isStruck: (_point, at) => at % lanes === lane }),
      ),
    ),
  );
  for (const result of results) print(result);
  const points = results.reduce((sum, result) => sum + result.points.length, 0);
  const reached = results.reduce((sum, result) => sum + result.kills.size, 0);
  const kills = results.flatMap(result => [...result.kills.values()]);
  const complaints = results.reduce((sum, result) => sum + result.complaints.length, 0);
  return {
    isProven: complaints === 0 && points > 0 && reached === points,
    figures: {
      points,
      reached,
      kills: kills.reduce((sum, count) => sum + count, 0),
      'least per point': Math.min(...kills),
      wrong: complaints,
    },
  };
}

export const scenario = defineScenario({
  about: 'kill -9 at every point of the charge path, then one retry: one content, one charge',
  takes: 'about 3 minutes',
  minutes: { usual: 2 },
  long: 'each point 50 times, or fewer where --minutes ends it',
  plants: { charge: 'content charges outside the transaction of the content' },
  run: prove,
});
