import { ApiError } from '@hookline/shared/contracts';
import { countWaiting, findSchedule } from '@hookline/shared/contracts/internal';
import { roles } from '@hookline/shared/contracts/scopes';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';
import type { HooklineEvent } from '@hookline/shared/events';
import { bareCaller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { scopesOfRole } from '../standing/roles.rules.ts';
import { type MailText, mailText } from './mail.rules.ts';
import { deleteMail, deleteReminder, insertMail, insertReminder, lockAskedAt, renewMail } from './queries.ts';
import {
  findNotifications,
  listRolesToBeMailed,
  listToBeMailed,
  markDecksMailed,
  setDecksWaiting,
} from './queries-notifications.ts';
import type { MailRow, NotificationsRow } from './record.ts';
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

/** Firings of an automation began to be skipped, because its decks would repeat others. */
export async function tellOwners(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  for (const { email: recipient } of await listRolesToBeMailed(tx, accountId, ['owner'])) {
    await insertMail(tx, { kind: 'nothing_new', recipient, subjectId: accountId, now: now() });
  }
}

/** Null for somebody who is no owner any more. */
export async function writeNothingNew(
  { db, publicUrl }: Pick<IdentityDeps, 'db' | 'publicUrl'>,
  { subjectId: accountId, recipient }: MailRow,
): Promise<MailText | null> {
  const owner = findByAddress(await listRolesToBeMailed(db, accountId, ['owner']), recipient);
  const url = `${publicUrl}/console/automations`;
  return owner && mailText('nothing_new', { url, workspace: owner.workspace });
}

const posters = roles.filter(role => scopesOfRole(role).includes('schedules:publish'));

/** A schedule waits for a person's post. */
export async function tellPosters(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, subject: scheduleId }: Pick<HooklineEvent, 'accountId' | 'subject'>,
): Promise<void> {
  for (const { email: recipient } of await listRolesToBeMailed(tx, accountId, posters)) {
    await insertMail(tx, {
      kind: 'post_due',
      recipient,
      subjectId: `${accountId} ${scheduleId}`,
      now: now(),
    });
  }
}

/** Null once it is posted, moved or withdrawn, and for somebody who may no longer post. */
export async function writePostDue(
  { db, peers, publicUrl }: Pick<IdentityDeps, 'db' | 'peers' | 'publicUrl'>,
  { subjectId, recipient }: MailRow,
): Promise<MailText | null> {
  const [accountId = '', id = ''] = subjectId.split(' ');
  const member = findByAddress(await listRolesToBeMailed(db, accountId, posters), recipient);
  if (!member) return null;
  const caller = bareCaller({ accountId, userId: member.userId, keyId: null, scopes: ['schedules:read'] });
  const found = await peers.call(findSchedule, { params: { id }, body: {}, caller }).catch(error => {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  });
  if (found?.data.status !== 'due') return null;
  const { title } = found.data;
  return mailText('post_due', {
    url: `${publicUrl}/console/due/${id}`,
    workspace: member.workspace,
    title,
  });
}

function findByAddress<T extends { email: string }>(members: readonly T[], address: string): T | null {
  return members.find(({ email }) => email.toLowerCase() === address.toLowerCase()) ?? null;
}

export async function storeReminder(
  deps: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  member: NotificationsRow,
): Promise<void> {
  if (!isWanted(member)) return;
  const { accountId, email: recipient } = member;
  const now = deps.now();
  await insertReminder(tx, { recipient, accountId, dueAt: dueOf(member, member.decksMailedAt, now), now });
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
  return mailText('decks_waiting', { url: `${deps.publicUrl}/console`, workspace, count: data.pending });
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
    const askedAt = await lockAskedAt(tx, mail.id);
    if (!member || askedAt === null || askedAt <= readAt) return await deleteMail(tx, mail.id);
    await renewMail(tx, mail.id, dueOf(member, isSent ? now : member.decksMailedAt, now));
  });
}

/**
 * Sets what a member is mailed about in the workspace. What waits already counts; an address that nobody has
 * proven is mailed a link that proves it, and nothing else before. Null when there is no such member.
 */
export async function chooseNotifications(
  deps: IdentityDeps,
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
