import type { contentApproved, HooklineEvent, schedulePublished } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { saveApproved, saveSent } from './queries.ts';

type Approved = HooklineEvent<typeof contentApproved.example>;
type Sent = HooklineEvent<typeof schedulePublished.example>;

/** Learns what the approved version of a deck is. */
export async function learnApproved(tx: Transaction, { accountId, time, data }: Approved): Promise<void> {
  const { content, archetype, language } = data;
  await saveApproved(tx, {
    ...{ contentId: content.id, accountId, archetype, language },
    appId: content.appId,
    version: content.version,
    hook: content.result?.hook ?? '',
    templateId: content.templateId,
    approvedAt: content.approval?.decidedAt ?? time,
  });
}

/** Learns when and where a deck was posted. */
export async function learnSent(tx: Transaction, { accountId, time, data }: Sent): Promise<void> {
  const { contentId, tiktokAccountId, sentAt } = data.schedule;
  await saveSent(tx, { contentId, accountId, tiktokAccountId, sentAt: sentAt ?? time });
}
