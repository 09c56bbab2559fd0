import type { Lesson } from '@hookline/shared/contracts/lesson';
import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { saveLesson } from './queries.ts';

export async function learn(tx: Transaction, event: HooklineEvent<Lesson>): Promise<void> {
  const { accountId, subject: appId, sequence, data: lesson } = event;
  await saveLesson(tx, { accountId, appId, sequence, lesson });
}
