import { listDue } from '@hookline/shared/contracts/internal';
import type { HooklineEvent } from '@hookline/shared/events';
import { bareCaller } from '@hookline/shared/http';
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { rolesWith } from '../standing/roles.rules.ts';
import { consoleIn } from '../standing/workspace.rules.ts';
import { type MailText, mailText, quoted } from './mail.rules.ts';
import { deleteMail, gatherMail, insertMail, listRolesToBeMailed, lockAsked, renewMail } from './queries.ts';
import { findByAddress, type MailKind, type MailRow } from './record.ts';

/** Firings of an automation began to be skipped, because its decks would repeat others. */
export function tellNothingNew(
  deps: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  return mailOwners(deps, tx, { accountId, kind: 'nothing_new', subjectId: accountId });
}

async function mailOwners(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  {
    accountId,
    kind,
    subjectId,
  }: { accountId: string; kind: 'nothing_new' | 'credits_low'; subjectId: string },
): Promise<void> {
  for (const { email: recipient } of await listRolesToBeMailed(tx, accountId, ['owner']))
    await insertMail(tx, { kind, recipient, subjectId, now: now() });
}

/** Null for somebody who is no owner any more. */
export async function writeNothingNew(
  { db, publicUrl }: Pick<IdentityDeps, 'db' | 'publicUrl'>,
  { subjectId: accountId, recipient }: MailRow,
): Promise<MailText | null> {
  const owner = findByAddress(await listRolesToBeMailed(db, accountId, ['owner']), recipient);
  const url = `${consoleIn(publicUrl, accountId)}/automations`;
  return owner && mailText('nothing_new', { url, workspace: owner.workspace });
}

/** What comes in bursts, such as the posts of a day that fail for one reason, is one mail for so long. */
const gatherMsOf = (kind: MailKind) => (kind === 'post_due' ? minuteMs : 5 * minuteMs);

const posters = rolesWith('schedules:publish');

/** A schedule waits for a person's post. Those of a while are one mail, as posting times are often the same. */
export async function tellPosters(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, subject: line }: Pick<HooklineEvent, 'accountId' | 'subject'>,
): Promise<void> {
  const at = now();
  const dueAt = new Date(at.getTime() + gatherMsOf('post_due'));
  for (const { email: recipient, postDue } of await listRolesToBeMailed(tx, accountId, posters)) {
    if (postDue) await gatherMail(tx, { kind: 'post_due', recipient, accountId, line, dueAt, now: at });
  }
}

/**
 * Null once all are posted, moved or withdrawn, and for somebody who may no longer post or wants no such mail. Its
 * lines are the ids of the last of the schedules.
 */
export async function writePostDue(
  { db, peers, publicUrl }: Pick<IdentityDeps, 'db' | 'peers' | 'publicUrl'>,
  { subjectId: accountId, recipient, facts, lines: ids }: MailRow,
): Promise<MailText | null> {
  const member = findByAddress(await listRolesToBeMailed(db, accountId, posters), recipient);
  if (!member?.postDue) return null;
  const caller = bareCaller({ accountId, userId: member.userId, keyId: null, scopes: ['schedules:read'] });
  const { data: due } = await peers.call(listDue, { body: {}, caller });
  const lines = ids.flatMap(id => {
    const one = due.find(schedule => schedule.id === id);
    return one ? [`${quoted(one.title)}: ${consoleIn(publicUrl, accountId)}/due/${id}`] : [];
  });
  // What became of those before the last is known by number alone.
  const count = Math.min(facts - (ids.length - lines.length), due.length);
  if (count === 0) return null;
  return mailText('post_due', {
    url: `${consoleIn(publicUrl, accountId)}/calendar`,
    workspace: member.workspace,
    count,
    lines,
  });
}

/** Tells whoever may act on it, or `userId` alone. */
export async function gatherFor(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, kind, line, userId }: { accountId: string; kind: Gathered; line: string; userId?: string },
): Promise<void> {
  const at = now();
  const dueAt = new Date(at.getTime() + gatherMsOf(kind));
  for (const { email: recipient, ...member } of await listRolesToBeMailed(tx, accountId, rolesFor(kind))) {
    if (userId === undefined || userId === member.userId)
      await gatherMail(tx, { kind, recipient, accountId, line, dueAt, now: at });
  }
}

/** @returns what a mail says of a post or account that a user named */
export function lineOf(name: string, message?: string): string {
  return message === undefined ? quoted(name) : `${quoted(name)}: ${message}`;
}

export function tellCreditsLow(
  deps: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, data }: HooklineEvent<{ balance: number }>,
): Promise<void> {
  return mailOwners(deps, tx, { accountId, kind: 'credits_low', subjectId: `${accountId} ${data.balance}` });
}

const pages = {
  post_failed: 'calendar',
  account_reconnect: 'accounts',
  credits_low: 'credits',
  link_decided: 'posts',
} as const;
type Gathered = Exclude<keyof typeof pages, 'credits_low'>;
const rolesFor = (kind: keyof typeof pages) =>
  kind === 'link_decided' ? rolesWith('content:approve') : (['owner'] as const);

export const isForMember = (kind: MailKind): kind is keyof typeof pages => kind in pages;

/** Null for somebody who may act on it no more. */
export async function writeForMember(
  { db, publicUrl }: Pick<IdentityDeps, 'db' | 'publicUrl'>,
  { kind, subjectId, recipient, facts, lines }: MailRow & { kind: keyof typeof pages },
): Promise<MailText | null> {
  const [accountId = '', balance = ''] = subjectId.split(' ');
  const member = findByAddress(await listRolesToBeMailed(db, accountId, rolesFor(kind)), recipient);
  const url = `${consoleIn(publicUrl, accountId)}/${pages[kind]}`;
  const count = kind === 'credits_low' ? Number(balance) : facts;
  return member && mailText(kind, { url, workspace: member.workspace, count, lines });
}

/** Ends a mail. What happened since it was claimed gets another. */
export function endGathered({ db, now }: Pick<IdentityDeps, 'db' | 'now'>, mail: MailRow): Promise<void> {
  return db.transaction(async tx => {
    const asked = await lockAsked(tx, mail.id);
    if (!asked || asked.facts <= mail.facts) return await deleteMail(tx, mail.id);
    await renewMail(tx, mail.id, new Date(now().getTime() + gatherMsOf(mail.kind)), mail.facts);
  });
}
