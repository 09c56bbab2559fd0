import { appendEvent } from '@hookline/shared/bus';
import { accountNeedsReauth } from '@hookline/shared/events';
import type { WriteContext } from '../context.ts';
import { type PlatformAccount, toAccount } from './record.ts';

/** TikTok, or the creator there, ended the grant of an account that was connected. */
export async function tellNeedsReauth({ tx, now }: WriteContext, account: PlatformAccount): Promise<void> {
  const { id: subject, accountId } = account;
  const data = { account: toAccount(account) };
  await appendEvent(tx, accountNeedsReauth, { accountId, subject, source: 'scheduling', at: now, data });
}
