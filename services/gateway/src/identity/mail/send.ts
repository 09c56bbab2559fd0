import { randomBytes } from 'node:crypto';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { findInvitation } from '../invitations/queries.ts';
import { type LinkKind, linkLifetimeMs, linkUrl, makeLinkToken } from '../links/link.rules.ts';
import { countLinks, insertLink } from '../links/queries.ts';
import { actorOf } from '../standing/record.ts';
import { findUserByEmail, markSlowedMail } from '../users/queries.ts';
import { findPerson } from '../users/queries-oidc.ts';
import type { UserRow } from '../users/record.ts';
import { writeWeek } from '../week/write.ts';
import { findWorkspace } from '../workspaces/queries.ts';
import { type MailText, mailText, waitAfterAttempt } from './mail.rules.ts';
import { claimMail, deleteMail, findNextMail, insertMail, mailLeaseMs, postponeMail } from './queries.ts';
import type { MailRow, SignInChange } from './record.ts';
import { endReminder, writeReminder } from './remind.ts';
import { endGathered, isForMember, writeForMember, writeNothingNew, writePostDue } from './tell.ts';

const linksPerHourMax = 3;

/**
 * Sends the mail that is due first. A mail that the server does not take is tried again, ten times within
 * about 9 hours; a crash after the server took it sends it twice.
 */
export async function sendMail(deps: IdentityDeps): Promise<boolean | Date> {
  const { db, mailer, log } = deps;
  if (!mailer) return false;
  const now = deps.now();
  const mail = await claimMail(db, now, new Date(now.getTime() + mailLeaseMs));
  if (!mail) {
    const next = await findNextMail(db);
    // The loop sleeps by the machine's clock; the mails follow the service's.
    return next ? new Date(Date.now() + next.getTime() - now.getTime()) : false;
  }
  const end = (isSent: boolean) =>
    mail.kind === 'decks_waiting'
      ? endReminder(deps, mail, { readAt: now, isSent })
      : endGathered(deps, mail);
  try {
    const text = await write(deps, mail, now);
    if (text !== null) await mailer.send({ to: mail.recipient, ...text });
    await end(text !== null);
  } catch (error) {
    const waitMs = waitAfterAttempt(mail.attempts);
    const logged = {
      mailId: mail.id,
      kind: mail.kind,
      attempts: mail.attempts,
      reason: (error as Error).message,
    };
    if (waitMs === null) {
      log.error(logged, 'a mail could not be sent and was given up');
      await deleteMail(db, mail.id);
    } else {
      log.warn(logged, 'a mail could not be sent and is tried again');
      await postponeMail(db, mail.id, new Date(deps.now().getTime() + waitMs));
    }
  }
  return true;
}

/** The text of the mail; null when nobody needs it any more. Each attempt makes a link of its own. */
async function write(deps: IdentityDeps, mail: MailRow, now: Date): Promise<MailText | null> {
  const { db, log } = deps;
  if (mail.kind === 'decks_waiting') return await writeReminder(deps, mail);
  if (mail.kind === 'nothing_new') return await writeNothingNew(deps, mail);
  if (mail.kind === 'week') return await writeWeek(deps, mail);
  if (mail.kind === 'post_due') return await writePostDue(deps, mail);
  if (isForMember(mail.kind)) return await writeForMember(deps, { ...mail, kind: mail.kind });
  if (mail.kind === 'invitation') {
    const invitation = await findInvitation(db, mail.subjectId);
    if (!invitation || invitation.expiresAt <= now) return null;
    const url = await makeLink(deps, {
      kind: 'invitation',
      subjectId: invitation.id,
      expiresAt: invitation.expiresAt,
      mailed: true,
    });
    const workspace = await findWorkspace(db, invitation.accountId);
    const inviter = await findPerson(db, invitation.invitedBy);
    return mailText('invitation', {
      url,
      workspace: workspace?.name ?? '',
      ...(inviter ? { inviter: actorOf(inviter).name } : {}),
    });
  }
  const user = await findUserByEmail(db, mail.recipient);
  if (!user) return null;
  if (mail.kind === 'sign_in_slowed') {
    const since = new Date(now.getTime() - dayMs);
    if (mail.attempts === 1 && !(await markSlowedMail(db, user.id, { since, now }))) return null;
    return mailText(mail.kind, { url: null });
  }
  if (mail.kind === 'sign_in_changed') {
    // An operator's waits where there is no mail server, and would be old news when there is one.
    if (now.getTime() - mail.createdAt.getTime() > dayMs) return null;
    const lines = [signInChanges[mail.subjectId as SignInChange]];
    return mailText(mail.kind, { url: `${deps.publicUrl}/console/settings#passkeys`, lines });
  }
  if (mail.kind === 'email_verification' && user.emailVerifiedAt !== null) return null;
  if (mail.attempts === 1 && (await isTooMany(deps, { subjectId: user.id, kind: mail.kind }, now))) {
    log.warn({ mailId: mail.id, kind: mail.kind, userId: user.id }, 'a mail was dropped: three an hour');
    return null;
  }
  const expiresAt = new Date(now.getTime() + linkLifetimeMs[mail.kind]);
  const url = await makeLink(deps, { kind: mail.kind, subjectId: user.id, expiresAt, mailed: true });
  return mailText(mail.kind, { url, person: user.name ?? user.email });
}

const signInChanges: Readonly<Record<SignInChange, string>> = {
  passkey_added: 'A passkey was added. From now on, the password alone signs nobody in.',
  passkey_removed: 'A passkey was removed.',
  passkeys_reset:
    'An operator removed your passkeys and recovery codes. The password alone signs in as you again.',
  recovery_codes_made: 'New recovery codes were made; the old ones have ended.',
  recovery_code_used: 'Somebody signed in with the password and a recovery code.',
};

/** Without SMTP there is no mail. */
export async function mailSignInChange(
  { mailer, now }: Pick<IdentityDeps, 'mailer' | 'now'>,
  tx: Transaction,
  { email: recipient }: Pick<UserRow, 'email'>,
  subjectId: SignInChange,
): Promise<void> {
  if (mailer) await insertMail(tx, { kind: 'sign_in_changed', recipient, subjectId, now: now() });
}

/** Has a link mailed that proves the address, where new users must prove theirs. Without SMTP there is none. */
export async function mailVerification(
  { requiresVerification, mailer, now }: Pick<IdentityDeps, 'requiresVerification' | 'mailer' | 'now'>,
  tx: Transaction,
  { email, emailVerifiedAt }: Pick<UserRow, 'email' | 'emailVerifiedAt'>,
): Promise<void> {
  if (!requiresVerification || !mailer || emailVerifiedAt !== null) return;
  await insertMail(tx, { kind: 'email_verification', recipient: email, subjectId: '', now: now() });
}

/** Nobody fills another's mailbox. Decided at the first attempt, so that an outage costs no mail. */
async function isTooMany(
  { db }: Pick<IdentityDeps, 'db'>,
  link: { subjectId: string; kind: LinkKind },
  now: Date,
): Promise<boolean> {
  return (await countLinks(db, link, new Date(now.getTime() - hourMs))) >= linksPerHourMax;
}

/** Stores a new token's hash. Only this call returns the link. */
export async function makeLink(
  { db, now, publicUrl }: Pick<IdentityDeps, 'now' | 'publicUrl'> & { db: Parameters<typeof insertLink>[0] },
  link: { kind: LinkKind; subjectId: string; expiresAt: Date; mailed: boolean },
): Promise<string> {
  const token = makeLinkToken(randomBytes(32));
  await insertLink(db, { tokenHash: sha256(token), ...link, now: now() });
  return linkUrl(publicUrl, link.kind, token);
}
