import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { Account } from '@hookline/shared/contracts/schedules';

export type PlatformAccount = RowOf<Omit<Account, 'platform' | 'canPublish'>, 'checkedAt'> & {
  accountId: string;
  /** The name of its platform's adapter. */
  carrier: string;
  openId: string;
  scopes: string[];
  deletedAt: Date | null;
  /** While the deletion of its workspace waits, nothing may be sent. */
  isFrozen: boolean;
};

export function toAccount(row: PlatformAccount): Account {
  return recordOf(Account, { ...row, platform: 'tiktok', canPublish: row.scopes.includes('video.publish') });
}
