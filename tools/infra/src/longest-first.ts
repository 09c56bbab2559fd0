import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take 20 s and more. One of them alone at the end would leave a core idle. */
const longFiles = [
  'e2e/embedded',
  'e2e/cli.e2e',
  'e2e/doors',
  'e2e/kafka-away',
  'kafka/bus.contract',
  'scheduling/test/went-back',
  'lab/scenarios/crash/',
  'scheduling/test/crash',
  'content/test/saga',
  'content/test/reap-images',
  'scheduling/test/resend',
  'scheduling/test/own-events',
  'faults/lost-host',
  'scheduling/test/expired-together',
  'tests/repeats/',
  'service/consumer',
  'kafka/topics.contract',
  'scheduling/test/unknown',
  'scheduling/test/chaos',
  'content/test/llm.int',
  'postgres/pgbouncer',
];

/** Starts the long files first; the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longFiles.findIndex(part => moduleId.includes(part));
  return rank < 0 ? longFiles.length : rank;
}
