import type {
  accountMeasured,
  contentApproved,
  HooklineEvent,
  schedulePublished,
} from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { countCollection } from '../metrics.ts';
import { askForLessons, saveApproved, saveMeasured, saveSent } from './queries.ts';

type Approved = HooklineEvent<typeof contentApproved.example>;
type Measured = HooklineEvent<typeof accountMeasured.example>;
type Sent = HooklineEvent<typeof schedulePublished.example>;

export async function learnApproved(tx: Transaction, { accountId, time, data }: Approved): Promise<void> {
  const { content, archetype, language } = data;
  const { id: contentId, appId, version, templateId, result } = content;
  await saveApproved(tx, {
    ...{ contentId, accountId, appId, version },
    known: { hook: result?.hook ?? '', archetype, templateId, language },
    approvedAt: content.approval?.decidedAt ?? time,
  });
}

export async function learnSent(tx: Transaction, { accountId, time, data }: Sent): Promise<void> {
  const { contentId, contentVersion: version, tiktokAccountId, sentAt } = data.schedule;
  await saveSent(tx, { contentId, accountId, version, tiktokAccountId, sentAt: sentAt ?? time });
}

export async function learnMeasured(
  tx: Transaction,
  { accountId, subject, time, data: { posts } }: Measured,
): Promise<void> {
  await saveMeasured(tx, { accountId, tiktokAccountId: subject, at: time }, posts);
  const ids = posts.map(({ contentId }) => contentId);
  await askForLessons({ tx, accountId, now: new Date(time) }, ids);
  for (const _ of posts) countCollection('tiktok', 'measured');
}
