import { isDeepStrictEqual } from 'node:util';
import { appendEvent } from '@hookline/shared/bus';
import { comparedDays, comparedMax } from '@hookline/shared/contracts/results';
import { appLearned } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import type { AnalyticsDeps } from '../deps.ts';
import { windowStart } from '../summary/days.rules.ts';
import { lessonOf } from './lesson.rules.ts';
import { listSettled, saveLesson, takeDueLesson } from './queries.ts';

/** What else follows from new numbers of an app. */
export type OnNumbers = (
  tx: Transaction,
  app: { accountId: string; appId: string },
  now: Date,
) => Promise<void>;

/** Ends a round long before it would fail `/livez`. */
const roundMax = 500;

/**
 * Draws up the lessons that are due by now. What becomes due meanwhile waits for the next round, so that an
 * app whose numbers keep coming is read once a round.
 */
export async function teachApps(
  { db, now }: Pick<AnalyticsDeps, 'db' | 'now'>,
  also: OnNumbers,
): Promise<void> {
  const at = now();
  for (let taught = 0; taught < roundMax; taught += 1) {
    if (!(await db.transaction(tx => teachNext(tx, at, also)))) return;
  }
}

async function teachNext(tx: Transaction, now: Date, also: OnNumbers): Promise<boolean> {
  const due = await takeDueLesson(tx, now);
  if (!due) return false;
  const { appId, accountId } = due;
  await also(tx, due, now);
  const since = windowStart(now, comparedDays);
  const lesson = lessonOf(await listSettled(tx, accountId, { appId, since, limit: comparedMax }));
  if (isDeepStrictEqual(lesson, due.lesson)) return true;
  await saveLesson(tx, appId, lesson);
  const event = { accountId, subject: appId, source: 'analytics', at: now, data: lesson };
  await appendEvent(tx, appLearned, event);
  return true;
}
