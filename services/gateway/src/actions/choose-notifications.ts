import type { DecksWaiting } from '@hookline/shared/contracts/workspace';
import type { GatewayDeps } from '../deps.ts';
import { deleteReminder, insertMail } from '../queries/mails.ts';
import { findNotifications, setDecksWaiting } from '../queries/notifications.ts';
import type { NotificationsRow } from '../records/notifications.ts';
import { storeReminder } from './remind-of-decks.ts';

/**
 * Sets what a member is mailed about in the workspace. What waits already counts; an address that nobody has
 * proven is mailed a link that proves it, and nothing else before. Null when there is no such member.
 */
export async function chooseNotifications(
  deps: GatewayDeps,
  { accountId, userId }: { accountId: string; userId: string },
  choice: DecksWaiting | undefined,
): Promise<NotificationsRow | null> {
  return await deps.db.transaction(async tx => {
    const before = await findNotifications(tx, accountId, userId);
    if (!before || choice === undefined || choice === before.decksWaiting) return before;
    const chosen = { ...before, decksWaiting: choice };
    await setDecksWaiting(tx, before, choice);
    if (before.email === null) return chosen;
    await deleteReminder(tx, before.email, accountId);
    if (choice === 'off' || !deps.mailer) return chosen;
    if (before.isProven) await storeReminder(deps, tx, chosen);
    else {
      const mail = { kind: 'email_verification' as const, recipient: before.email, subjectId: '' };
      await insertMail(tx, { ...mail, now: deps.now() });
    }
    return chosen;
  });
}
