import { z } from 'zod';
import { Account, listAccounts } from '../contracts/schedules.ts';
import { By, exampleBy } from './by.ts';
import { defineEvent } from './envelope.ts';

const topic = 'scheduling.accounts' as const;
const OfAccount = z.object({ account: Account });
const OfChangedAccount = OfAccount.extend({ by: By.nullable() });
const account = listAccounts.example.response.data[0]!;

export const accountConnected = defineEvent({
  type: 'account.connected',
  version: 1,
  topic,
  about: 'A TikTok account or a phone was connected, or connected again.',
  data: OfChangedAccount,
  example: { account, by: exampleBy },
});

export const accountNeedsReauth = defineEvent({
  type: 'account.needs_reauth',
  version: 1,
  topic,
  about:
    'TikTok no longer accepts the grant of an account (`status` is `needs_reauth`), or its creator ended it there (`disconnected`). Nothing is posted to it until it is connected again.',
  data: OfAccount,
  example: { account: { ...account, status: 'needs_reauth' } },
});

export const accountDisconnected = defineEvent({
  type: 'account.disconnected',
  version: 1,
  topic,
  about: 'A TikTok account was disconnected by its workspace.',
  data: OfChangedAccount,
  example: { account: { ...account, status: 'disconnected' }, by: exampleBy },
});
