import { detachEndedPartitions, listEndedPartitions } from '@hookline/analytics/ops';
import { ConfigurationError } from '@hookline/shared/kernel';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'takes old months of metric snapshots off their table; nothing that the API answers reads them',
  options: {
    check: { type: 'boolean', default: false, says: 'lists only' },
    'keep-months': {
      type: 'string',
      default: '24',
      value: 'n',
      says: 'months that stay, this one included; 24',
    },
  },
  run({ env, values, print }) {
    return detachSnapshots(env, { keepMonths: values['keep-months'], isCheck: values.check }, print);
  },
});

const keepMonthsMin = 2;
const keepMonthsMax = 1_200;

export type DetachOptions = {
  /** Number of months to keep, the current one included; at least 2. */
  keepMonths: string;
  /** Only lists them. */
  isCheck: boolean;
};

/** @returns true. @throws ConfigurationError with one sentence */
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
  return await withTarget(env, {}, async target => {
    const db = target.openSchema('analytics');
    const names = await (isCheck ? listEndedPartitions : detachEndedPartitions)(db, endedBy);
    for (const name of names) {
      print(isCheck ? `analytics.${name} would be detached` : `analytics.${name} is a separate table now`);
    }
    if (names.length === 0) print(`No month before ${endedBy.toISOString().slice(0, 7)} is attached.`);
    return true;
  });
}
