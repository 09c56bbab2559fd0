import { Automation } from '@hookline/shared/contracts/automations';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { firingsLeft } from '../slots/plan-end.rules.ts';

export type AutomationRow = RowOf<
  Omit<Automation, 'nextTopic' | 'firingsLeft' | 'endedReason'>,
  'until' | 'nextFireAt' | 'nothingNewSince'
> & {
  accountId: string;
  /** The place of the next one in `topics`. */
  topicIndex: number;
  /** Who last changed the brief or the topics; null if unknown. */
  authorId: string | null;
  deletedAt: Date | null;
};

export function toAutomation(row: AutomationRow): Automation {
  const left = firingsLeft(row);
  return recordOf(Automation, {
    ...row,
    nextTopic: row.topics[row.topicIndex] ?? null,
    firingsLeft: left,
    endedReason: row.status !== 'ended' ? null : left === 0 ? 'max_firings' : 'until',
  });
}
