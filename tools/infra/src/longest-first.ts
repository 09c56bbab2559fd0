import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take 25 s and more. One of them alone at the end would leave a core idle. */
const longFiles = [
  'lab/scenarios/crash/',
  'scheduling/test/went-back',
  'scheduling/test/crash',
  'kafka/bus.contract',
  'faults/lost-host',
  'kafka/topics.contract',
  'scheduling/test/resend',
  'tests/repeats/',
  'content/test/llm-writer',
  'infra/test/postgres',
  'sagas/delete-races',
  'analytics/test/sources',
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
