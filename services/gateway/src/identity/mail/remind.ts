import { countWaiting } from '@hookline/shared/contracts/internal';
import type { BodyOf } from '@hookline/shared/contracts/route';
import type { updateNotifications } from '@hookline/shared/contracts/workspace';
import { bareCaller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { scopesOfRole } from '../standing/roles.rules.ts';
import { consoleIn } from '../standing/workspace.rules.ts';
import { type MailText, mailText } from './mail.rules.ts';
import {
  deleteMail,
  deleteReminder,
  findNotifications,
  gatherMail,
  insertMail,
  listToBeMailed,
  lockAsked,
  markDecksMailed,
  renewMail,
  setNotifications,
} from './queries.ts';
import { findByAddress, type MailRow, type NotificationsRow } from './record.ts';
import { reminderTime } from './reminder-time.rules.ts';

type Wanted = NotificationsRow & { email: string; decksWaiting: 'instant' | 'daily' };

/**
 * Content is ready, or may be approved again: stores a mail for every member who may
 * approve it and wants one.
 */
export async function remindOfDecks(deps: IdentityDeps, tx: Transaction, accountId: string): Promise<void> {
  if (!deps.mailer) return;
  for (const member of (await listToBeMailed(tx, accountId)).filter(isWanted)) {
    await storeReminder(deps, tx, member);
  }
}

export async function storeReminder(
  deps: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  member: NotificationsRow,
): Promise<void> {
  if (!isWanted(member)) return;
  const { accountId, email: recipient } = member;
  const now = deps.now();
  const dueAt = dueOf(member, member.decksMailedAt, now);
  await gatherMail(tx, { kind: 'decks_waiting', recipient, accountId, dueAt, now });
}

/** False also for a member who has since lost the scope, and for an address that nobody has proven. */
function isWanted(member: NotificationsRow): member is Wanted {
  const { decksWaiting, email, isProven, role } = member;
  return (
    decksWaiting !== 'off' && email !== null && isProven && scopesOfRole(role).includes('content:approve')
  );
}

function dueOf({ decksWaiting, timezone }: Wanted, mailedAt: Date | null, now: Date): Date {
  return reminderTime(decksWaiting, { now, mailedAt, timezone });
}

/** The text for the member to whom the mail goes; null when nothing waits, or nobody wants it any more. */
export async function writeReminder(deps: IdentityDeps, mail: MailRow): Promise<MailText | null> {
  const member = await findRecipient(deps, mail);
  if (!member) return null;
  const { accountId, userId, workspace } = member;
  const caller = bareCaller({ accountId, userId, keyId: null, scopes: ['content:read'] });
  const { data } = await deps.peers.call(countWaiting, { body: {}, caller });
  if (data.pending === 0) return null;
  return mailText('decks_waiting', {
    url: `${consoleIn(deps.publicUrl, accountId)}/approve`,
    workspace,
    count: data.pending,
  });
}

async function findRecipient(
  { db }: Pick<IdentityDeps, 'db'>,
  { subjectId: accountId, recipient }: MailRow,
): Promise<Wanted | null> {
  return findByAddress((await listToBeMailed(db, accountId)).filter(isWanted), recipient);
}

/**
 * Ends a mail about waiting content. Content that became ready after `readAt`, when its
 * text was made, gets another.
 * @param isSent false when there was nothing to say
 */
export async function endReminder(
  deps: Pick<IdentityDeps, 'db' | 'now'>,
  mail: MailRow,
  { readAt, isSent }: { readAt: Date; isSent: boolean },
): Promise<void> {
  const member = await findRecipient(deps, mail);
  await deps.db.transaction(async tx => {
    const now = deps.now();
    if (member && isSent) await markDecksMailed(tx, member, now);
    const asked = await lockAsked(tx, mail.id);
    if (!member || !asked || asked.at <= readAt) return await deleteMail(tx, mail.id);
    await renewMail(tx, mail.id, dueOf(member, isSent ? now : member.decksMailedAt, now), mail.facts);
  });
}

/**
 * Sets what a member is mailed about in the workspace. What waits already counts; an address that nobody has
 * proven is mailed a link that proves it, and nothing else before. Null when there is no such member.
 */
export async function chooseNotifications(
  deps: IdentityDeps,
  { accountId, userId }: { accountId: string; userId: string },
  choice: BodyOf<typeof updateNotifications>,
): Promise<NotificationsRow | null> {
  return await deps.db.transaction(async tx => {
    const before = await findNotifications(tx, accountId, userId);
    await setNotifications(tx, { accountId, userId }, choice);
    const chosen = await findNotifications(tx, accountId, userId);
    if (!before || !chosen?.email || chosen.decksWaiting === before.decksWaiting) return chosen;
    await deleteReminder(tx, chosen.email, accountId);
    if (chosen.decksWaiting === 'off' || !deps.mailer) return chosen;
    if (chosen.isProven) await storeReminder(deps, tx, chosen);
    else {
      const mail = { kind: 'email_verification' as const, recipient: chosen.email, subjectId: '' };
      await insertMail(tx, { ...mail, now: deps.now() });
    }
    return chosen;
  });
}
