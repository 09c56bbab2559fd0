import type {
  accountMeasured,
  contentApproved,
  experimentStarted,
  HooklineEvent,
  schedulePublished,
} from '@hookline/shared/events';
import { digestSlides } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import { countCollection } from '../metrics.ts';
import {
  askForLessons,
  keepFirstViews,
  saveApproved,
  saveCompared,
  saveMeasured,
  saveRejected,
  saveSent,
} from './queries.ts';

type Approved = HooklineEvent<typeof contentApproved.example>;
type Measured = HooklineEvent<typeof accountMeasured.example>;
type Started = HooklineEvent<typeof experimentStarted.example>;
type Sent = HooklineEvent<typeof schedulePublished.example>;

export async function learnApproved(tx: Transaction, { accountId, time, data }: Approved): Promise<void> {
  const { content, archetype, language } = data;
  const { id: contentId, appId, version, templateId, result } = content;
  await saveApproved(tx, {
    ...{ contentId, accountId, appId, version },
    known: {
      ...{ hook: result?.hook ?? '', archetype, templateId, language },
      bodyDigest: result && digestSlides(result.bodySlides),
    },
    approvedAt: content.approval?.decidedAt ?? time,
  });
}

/** Learns that a deck is not to be posted. */
export function learnRejected(tx: Transaction, { accountId, data: { content } }: Approved): Promise<void> {
  return saveRejected(tx, { contentId: content.id, accountId, version: content.version });
}

/** Learns which decks are compared on purpose. Their views may have been read before this is heard of. */
export async function learnStarted(
  tx: Transaction,
  { accountId, subject: id, time, data }: Started,
): Promise<void> {
  await saveCompared(tx, { id, accountId, startedAt: time, ...data });
  const ids = data.decks.map(({ contentId }) => contentId);
  await keepFirstViews(tx, accountId, ids);
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
  await keepFirstViews(tx, accountId, ids);
  await askForLessons({ tx, accountId, now: new Date(time) }, ids);
  for (const _ of posts) countCollection('tiktok', 'measured');
}
