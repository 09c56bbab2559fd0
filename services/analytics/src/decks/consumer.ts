import { contentApproved, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { type SentDeck, saveApproved, saveSent } from './queries.ts';

/** Learns which decks there are and when each was posted first. */
export const decksConsumer: Consumer = {
  name: 'decks',
  gathers: true,
  reactions: [
    on(contentApproved, async (tx, { accountId, data: { content, archetype, language }, time }) => {
      await saveApproved(tx, {
        ...{ contentId: content.id, accountId, archetype, language },
        appId: content.appId,
        version: content.version,
        hook: content.result?.hook ?? '',
        templateId: content.templateId,
        approvedAt: content.approval?.decidedAt ?? time,
      });
    }),
    on(scheduleSentToDrafts, (tx, { accountId, data, time }) =>
      saveSent(tx, sentDeck(accountId, data, time)),
    ),
    on(schedulePublished, (tx, { accountId, data, time }) => saveSent(tx, sentDeck(accountId, data, time))),
  ],
};

function sentDeck(accountId: string, { schedule }: typeof schedulePublished.example, time: string): SentDeck {
  const { contentId, tiktokAccountId, sentAt } = schedule;
  return { contentId, accountId, tiktokAccountId, sentAt: sentAt ?? time };
}
