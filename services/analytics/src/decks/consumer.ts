import { contentApproved, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { learnApproved, learnSent } from './learn.ts';

/** Learns which decks there are and when each was posted first. */
export const decksConsumer: Consumer = {
  name: 'decks',
  gathers: true,
  reactions: [
    on(contentApproved, learnApproved),
    on(scheduleSentToDrafts, learnSent),
    on(schedulePublished, learnSent),
  ],
};
