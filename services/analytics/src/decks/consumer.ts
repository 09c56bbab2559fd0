import {
  accountMeasured,
  contentApproved,
  contentRejected,
  experimentStarted,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { learnApproved, learnMeasured, learnRejected, learnSent, learnStarted } from './learn.ts';

/** Learns which decks there are, when each was posted first, and what TikTok says of it. */
export const decksConsumer: Consumer = {
  name: 'decks',
  reactions: [
    on(contentApproved, learnApproved),
    on(contentRejected, learnRejected),
    on(experimentStarted, learnStarted),
    on(scheduleSentToDrafts, learnSent),
    on(schedulePublished, learnSent),
    on(accountMeasured, learnMeasured),
  ],
};
