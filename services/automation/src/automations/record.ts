import type { Automation } from '@hookline/shared/contracts/automations';
import type { SentBrief } from '@hookline/shared/contracts/brief';
import type { OwnFields } from '@hookline/shared/contracts/own-fields';
import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { By } from '@hookline/shared/events';
import { firingsLeft } from '../slots/plan-end.rules.ts';

export type AutomationRow = OwnFields & {
  id: string;
  accountId: string;
  appId: string;
  tiktokAccountId: string;
  format: 'slideshow' | 'hook_video';
  postingTimes: PostingTime[];
  timezone: string;
  brief: SentBrief | null;
  topics: string[];
  /** The place of the next one in `topics`. */
  topicIndex: number;
  until: Date | null;
  maxFirings: number | null;
  firingsMade: number;
  approvalMode: 'auto' | 'manual';
  postingMode: 'drafts' | 'publish';
  privacyLevel: PrivacyLevel | null;
  status: Automation['status'];
  nextFireAt: Date | null;
  nothingNewSince: Date | null;
  createdBy: By | null;
  /** Who last changed the brief or the topics; null if unknown. */
  authorId: string | null;
  confirmedBy: By | null;
  awaitsConfirmation: boolean;
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export function toAutomation(row: AutomationRow): Automation {
  const { accountId: _account, authorId: _author, deletedAt: _deleted, topicIndex: _index, ...fields } = row;
  const left = firingsLeft(row);
  return {
    ...fields,
    nextTopic: row.topics[row.topicIndex] ?? null,
    until: row.until?.toISOString() ?? null,
    firingsLeft: left,
    endedReason: row.status !== 'ended' ? null : left === 0 ? 'max_firings' : 'until',
    nothingNewSince: row.nothingNewSince?.toISOString() ?? null,
    nextFireAt: row.nextFireAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
