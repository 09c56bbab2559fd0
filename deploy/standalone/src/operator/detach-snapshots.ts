/**
 * `npm run detach-snapshots [-- --check] [--keep-months N]`: takes old months of metric snapshots off their table.
 * What the API answers does not read them. Repeatable.
 */
import { detachEndedPartitions, listEndedPartitions } from '@hookline/analytics/queries/partitions';
import { ConfigurationError } from '@hookline/shared/config';
import { openTarget } from './target.ts';

const keepMonthsMin = 2;
const keepMonthsMax = 1_200;

export type DetachOptions = {
  /** Months that stay, the current one included; from 2 on. */
  keepMonths: string;
  /** Lists only. */
  isCheck: boolean;
};

/** @returns true. @throws ConfigurationError one sentence. */
export async function detachSnapshots(
  env: Record<string, string | undefined>,
  { keepMonths, isCheck }: DetachOptions,
  print: (line: string) => void,
  now = new Date(),
): Promise<boolean> {
  const months = Number(/^\d{1,4}$/.exec(keepMonths)?.[0]);
  if (!(months >= keepMonthsMin && months <= keepMonthsMax)) {
    throw new ConfigurationError(
      `--keep-months must be an integer from ${keepMonthsMin} to ${keepMonthsMax}.`,
    );
  }
  const endedBy = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1));
  const target = await openTarget(env);
  try {
    const db = target.openSchema('analytics');
    const names = await (isCheck ? listEndedPartitions : detachEndedPartitions)(db, endedBy);
    for (const name of names) {
      print(isCheck ? `analytics.${name} would be taken off` : `analytics.${name} is a table of its own now`);
    }
    if (names.length === 0) print(`No month before ${endedBy.toISOString().slice(0, 7)} is attached.`);
    return true;
  } finally {
    await target.close();
  }
}
