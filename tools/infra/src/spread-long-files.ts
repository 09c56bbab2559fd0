import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 25 s and more, of the units 10 s. Those with Kafka come late: its idle brokers take 13 % of a core.
 */
const longFiles = [
  'sdk-python/tests/python',
  'http/drain',
  'test/vitest-ring',
  'e2e/embedded',
  'e2e/kafka-away',
  'e2e/restore',
  'e2e/start-settings',
  'e2e/cli.',
  'e2e/doors',
  'e2e/clients',
  'e2e/operations',
  'scheduling/test/chaos',
  'scheduling/test/crash',
  'lab/scenarios/crash/',
  'scheduling/test/went-back',
  'scheduling/test/own-events',
  'content/test/reap-images',
  'scheduling/test/resend',
  'content/test/saga',
  'tests/repeats/',
  'faults/lost-host',
  'gateway/test/push',
  'sagas/delete-races',
  'content/test/llm.int',
  'scheduling/test/expired-together',
  'kafka/bus.contract',
  'kafka/topics.contract',
  'service/consumer',
  'bus/redrive.contract',
  'scheduling/test/unknown',
  'gateway/test/people',
  'postgres/pgbouncer',
];

/**
 * Spreads the long files, which mostly wait, over the others, which compute: the processors are as busy at the
 * start as at the end, where none of them is left to run alone.
 */
export class SpreadLongFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification) => rankOf(file) < longFiles.length;
    const long = sorted.filter(isLong).toSorted((one, other) => rankOf(one) - rankOf(other));
    const others = sorted.filter(file => !isLong(file));
    const between = Math.floor(others.length / (long.length + 1));
    const spread = long.flatMap((one, at) => [one, ...others.slice(at * between, (at + 1) * between)]);
    return [...spread, ...others.slice(long.length * between)];
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longFiles.findIndex(part => moduleId.includes(part));
  return rank < 0 ? longFiles.length : rank;
}
