/**
 * `npm run test:crash [-- --minutes N | --long | --plant]`: kill -9 at every point of the charge path, again and again
 * (`--long`: 50 times each, or fewer where `--minutes` ends it), six databases side by side. After each kill one retry
 * with the same key must find one content, one charge, nothing set aside. `--plant`: one round against a content service
 * that charges before it writes the content; this run has to fail.
 */
import { parseArgs } from 'node:util';
import { runProof } from '../../kit/run/proof-run.ts';
import { firingJourney, gatewayJourney, type Journey, requestJourney } from './journeys.ts';
import { type LaneResult, walk } from './lane.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    long: { type: 'boolean', default: false },
    plant: { type: 'boolean', default: false },
  },
});
/** Databases that share the points of a journey, about as many points each. */
const lanesOf = new Map<Journey, number>([
  [requestJourney, 2],
  [firingJourney, 3],
  [gatewayJourney, 1],
]);
const minutesUsually = 2;
const longRounds = 50;
const shownMax = 20;

function print({ journey, points, kills, complaints }: LaneResult): void {
  const least = Math.min(...points.map(point => kills.get(point) ?? 0));
  console.log(`  ${journey}: ${points.length} points, each killed at least ${least} times`);
  for (const complaint of complaints.slice(0, shownMax)) console.log(`    ${complaint}`);
  if (complaints.length > shownMax) console.log(`    and ${complaints.length - shownMax} more`);
}

await runProof('crash', async () => {
  const minutes =
    values.long && values.minutes === undefined ? null : Number(values.minutes ?? minutesUsually);
  const until = minutes === null ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000;
  const roundsMax = values.long ? longRounds : Number.POSITIVE_INFINITY;
  const mayGoOn = (round: number) => !values.plant && round < roundsMax && Date.now() < until;
  // The defect is the content service's: at the gateway there is nothing to find.
  const walked = [...lanesOf].filter(([{ victim }]) => !values.plant || victim === 'content');
  const planted = values.plant ? { isPlanted: true, complaintsMax: 5 } : {};
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
  console.log(
    `points ${points}, reached ${reached}, kills ${kills.reduce((sum, count) => sum + count, 0)}, least per point ${Math.min(...kills)}, wrong ${complaints}`,
  );
  return complaints === 0 && points > 0 && reached === points;
});
