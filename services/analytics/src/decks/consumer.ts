import {
  accountMeasured,
  contentApproved,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { learnApproved, learnMeasured, learnSent } from './learn.ts';

/** Learns which decks there are, when each was posted first, and what TikTok says of it. */
export const decksConsumer: Consumer = {
  name: 'decks',
  reactions: [
    on(contentApproved, learnApproved),
    on(scheduleSentToDrafts, learnSent),
    on(schedulePublished, learnSent),
    on(accountMeasured, learnMeasured),
  ],
};
