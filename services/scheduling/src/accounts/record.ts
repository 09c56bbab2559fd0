import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import type { Account, PrivacyLevel } from '@hookline/shared/contracts/schedules';

export type PlatformAccount = {
  id: string;
  accountId: string;
  appId: string | null;
  kind: Account['kind'];
  /** The name of its platform's adapter. */
  carrier: string;
  openId: string;
  username: string | null;
  displayName: string;
  avatarUrl: string | null;
  status: Account['status'];
  scopes: string[];
  privacyLevels: PrivacyLevel[];
  commentDisabled: boolean;
  checkedAt: Date | null;
  slots: PostingTime[];
  timezone: string;
  deletedAt: Date | null;
  /** While the deletion of its workspace waits, nothing may be sent. */
  isFrozen: boolean;
  createdAt: Date;
  updatedAt: Date;
};

export function toAccount(row: PlatformAccount): Account {
  return {
    id: row.id,
    platform: 'tiktok',
    kind: row.kind,
    username: row.username,
    displayName: row.displayName,
    avatarUrl: row.avatarUrl,
    appId: row.appId,
    status: row.status,
    canPublish: row.scopes.includes('video.publish'),
    privacyLevels: row.privacyLevels,
    commentDisabled: row.commentDisabled,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    slots: row.slots,
    timezone: row.timezone,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
