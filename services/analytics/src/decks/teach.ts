import { isDeepStrictEqual } from 'node:util';
import { appendEvent } from '@hookline/shared/bus';
import { comparedDays, comparedMax } from '@hookline/shared/contracts/results';
import { appLearned } from '@hookline/shared/events';
import type { WriteContext } from '../deps.ts';
import { windowStart } from '../summary/days.rules.ts';
import { lessonOf } from './lesson.rules.ts';
import { listSettled, lockLesson, saveLesson } from './queries.ts';

/** Publishes what the app of a deck has learned, if its new numbers change that. */
export async function teachApp({ tx, accountId, now }: WriteContext, contentId: string): Promise<void> {
  // Entries for decks of one app follow each other here, so that the last one sees all.
  const known = await lockLesson(tx, accountId, contentId);
  if (!known) return;
  const { appId } = known;
  const since = windowStart(now, comparedDays);
  const lesson = lessonOf(await listSettled(tx, accountId, { appId, since, limit: comparedMax }));
  if (isDeepStrictEqual(lesson, known.lesson)) return;
  await saveLesson(tx, appId, lesson);
  await appendEvent(tx, appLearned, {
    accountId,
    subject: appId,
    source: 'analytics',
    at: now,
    data: lesson,
  });
}
