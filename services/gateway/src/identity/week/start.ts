import { dayMs } from '@hookline/shared/kernel/durations';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertMail, listRolesToBeMailed } from '../mail/queries.ts';
import { lockDueWeek, setNextWeek } from './queries.ts';
import { nextMonday, weekBefore } from './week.rules.ts';

/**
 * Stores the mails of one workspace whose week is over and when the next one is, in one transaction: each week
 * once, whatever runs or restarts.
 * @returns false if none is due
 */
export async function startWeek({
  db,
  now,
  mailer,
}: Pick<IdentityDeps, 'db' | 'now' | 'mailer'>): Promise<boolean> {
  if (!mailer) return false;
  return await db.transaction(async tx => {
    const at = now();
    const due = await lockDueWeek(tx, at);
    if (!due) return false;
    const { accountId, timezone, dueAt } = due;
    await setNextWeek(tx, accountId, nextMonday(at, timezone));
    // In a zone further west, where the workspace has moved since, this Monday is yet to come.
    const isOver = dueAt && weekBefore(at, timezone).until.getTime() > dueAt.getTime() - 2 * dayMs;
    if (!isOver) return true;
    for (const { email: recipient, weekly } of await listRolesToBeMailed(tx, accountId, ['owner'])) {
      if (weekly) await insertMail(tx, { kind: 'week', recipient, subjectId: accountId, now: at });
    }
    return true;
  });
}
