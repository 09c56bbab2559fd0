import { z } from 'zod';
import { exampleIds, exampleTime } from '../contracts/examples.ts';
import { Account, listAccounts } from '../contracts/schedules.ts';
import { By, exampleBy } from './by.ts';
import { defineEvent } from './envelope.ts';

const topic = 'scheduling.accounts' as const;
const OfAccount = z.object({ account: Account });
const OfChangedAccount = OfAccount.extend({ by: By.nullable() });
const account = listAccounts.example.response.data[0]!;

export const accountConnected = defineEvent({
  type: 'account.connected',
  topic,
  about: 'A TikTok account or a phone was connected, or connected again.',
  data: OfChangedAccount,
  example: { account, by: exampleBy },
});

export const accountNeedsReauth = defineEvent({
  type: 'account.needs_reauth',
  topic,
  about:
    'TikTok no longer accepts the grant of an account (`status` is `needs_reauth`), or its creator ended it there (`disconnected`). Nothing is posted to it until it is connected again.',
  data: OfAccount,
  example: { account: { ...account, status: 'needs_reauth' } },
});

const unknownOrCount = z.int().nonnegative().nullable();

export const accountMeasured = defineEvent({
  type: 'account.measured',
  topic,
  about:
    'TikTok told the numbers of posts of an account, as they were at the time of the event. Null: it did not say.',
  data: z.object({
    posts: z.array(
      z.object({
        contentId: z.string(),
        /** When the schedule ended; a draft is posted later. */
        sentAt: z.string(),
        publishedAt: z.string().nullable(),
        views: z.int().nonnegative(),
        likes: unknownOrCount,
        comments: unknownOrCount,
        shares: unknownOrCount,
      }),
    ),
  }),
  example: {
    posts: [
      {
        contentId: exampleIds.content,
        sentAt: exampleTime,
        publishedAt: exampleTime,
        ...{ views: 1200, likes: 96, comments: 7, shares: 12 },
      },
    ],
  },
});

export const accountDisconnected = defineEvent({
  type: 'account.disconnected',
  topic,
  about: 'A TikTok account was disconnected by its workspace.',
  data: OfChangedAccount,
  example: { account: { ...account, status: 'disconnected' }, by: exampleBy },
});
