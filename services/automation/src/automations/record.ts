import type { Automation, PostingTime } from '@hookline/shared/contracts/automations';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { By } from '@hookline/shared/events';

export type AutomationRow = {
  id: string;
  accountId: string;
  appId: string;
  tiktokAccountId: string;
  format: 'slideshow' | 'hook_video';
  postingTimes: PostingTime[];
  timezone: string;
  brief: Brief | null;
  approvalMode: 'auto' | 'manual';
  postingMode: 'drafts' | 'publish';
  privacyLevel: PrivacyLevel | null;
  status: 'active' | 'paused';
  nextFireAt: Date | null;
  createdBy: By | null;
  /** Who last changed the brief; null if unknown. */
  authorId: string | null;
  confirmedBy: By | null;
  awaitsConfirmation: boolean;
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export function toAutomation(row: AutomationRow): Automation {
  const { accountId: _account, authorId: _author, deletedAt: _deleted, ...fields } = row;
  return {
    ...fields,
    nextFireAt: row.nextFireAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
