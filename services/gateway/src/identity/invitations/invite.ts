import { invalidRequest } from '@hookline/shared/contracts';
import type { Role } from '@hookline/shared/contracts/scopes';
import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { isUniqueViolation, type Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import { linkLifetimeMs } from '../links/link.rules.ts';
import { insertMail } from '../mail/queries.ts';
import { makeLink } from '../mail/send.ts';
import type { SessionContext } from '../sessions/session-of.ts';
import { hashEmail } from '../users/email.rules.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { mayMailInvitation } from './mail-limit.rules.ts';
import { countInvitations, deleteExpiredInvitations, insertInvitation, isMemberByEmail } from './queries.ts';
import { insertInvitationMail, lockInvitationMails } from './queries-mails.ts';
import type { InvitationRow } from './record.ts';

const invitationsMax = 100;

export async function invite(
  deps: IdentityDeps,
  { tx, by, session: { accountId, userId, isVerified } }: SessionContext,
  { email, role }: { email: string; role: Role },
): Promise<{ row: InvitationRow; url: string; mailed: boolean }> {
  const now = deps.now();
  await lockWorkspace(tx, accountId);
  await deleteExpiredInvitations(tx, accountId, now);
  if (await isMemberByEmail(tx, accountId, email)) {
    throw invalidRequest('email is that of a member; PATCH /workspace/members/{userId} changes the role');
  }
  if ((await countInvitations(tx, accountId)) >= invitationsMax) {
    throw invalidRequest(
      `email cannot be invited: a workspace has at most ${invitationsMax} open invitations; delete one`,
    );
  }
  const expiresAt = new Date(now.getTime() + linkLifetimeMs.invitation);
  const row = await insertInvitation(tx, {
    ...{ id: newId('invitation', now.getTime()), accountId, email, role, invitedBy: userId, expiresAt, now },
  }).catch(error => {
    if (!isUniqueViolation(error, 'invitations_email_unique')) throw error;
    throw invalidRequest('email has an open invitation already; delete that one first');
  });
  const url = await makeLink(
    { ...deps, db: tx },
    { kind: 'invitation', subjectId: row.id, expiresAt, mailed: false },
  );
  const mailed = deps.mailer !== null && (await mailInvitation({ tx, now }, row, isVerified));
  const subject = { kind: 'invitation' as const, id: row.id };
  const detail = { email, role };
  await insertAudit({ tx, by, now }, { accountId, action: 'member.invited', subject, detail });
  return { row, url, mailed };
}

/** False, and nothing is sent, where too many were sent within a day. */
async function mailInvitation(
  { tx, now }: { tx: Transaction; now: Date },
  { id, accountId, email }: InvitationRow,
  isProven: boolean,
): Promise<boolean> {
  const mail = { recipientHash: hashEmail(email), accountId };
  const sent = await lockInvitationMails(tx, mail, new Date(now.getTime() - dayMs));
  if (!mayMailInvitation(sent, isProven)) return false;
  await insertInvitationMail(tx, { ...mail, now });
  await insertMail(tx, { kind: 'invitation', recipient: email, subjectId: id, now });
  return true;
}
