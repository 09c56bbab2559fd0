import { type ApiError, invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { isUniqueViolation } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { From } from '../audit/record.ts';
import { deleteLinks, findLink } from '../links/queries.ts';
import { mailVerification } from '../mail/send.ts';
import { requireNoPasskey } from '../passwords/audit-attempt.ts';
import { checkPassword, knowAddress, wrongPassword } from '../passwords/check.ts';
import { refuseWeakPassword } from '../passwords/weak-password.rules.ts';
import { setAccountOfSession } from '../sessions/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { auditSignUp, openSession, type SignedIn, type SignInContext } from '../sessions/start.ts';
import { actorOf } from '../standing/record.ts';
import { frozenText } from '../standing/workspace.rules.ts';
import { findUserByEmail, insertUser, lockPasswordHash, markEmailVerified } from '../users/queries.ts';
import type { OidcUserRow, UserRow } from '../users/record.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { findMember } from '../workspaces/queries-members.ts';
import { deleteInvitation, findInvitation, insertMember, lockPerson } from './queries.ts';
import type { InvitationRow } from './record.ts';

export type Acceptance = { token: string; name?: string | undefined; password?: string | undefined };

/**
 * Makes whoever has the link a member, and signs them in: somebody who has signed up with the invited
 * address by their password, anybody else as a new user. A mailed link proves the address; the one that
 * the inviter saw does not.
 */
export async function acceptInvitation(deps: IdentityDeps, given: Acceptance, from: From): Promise<SignedIn> {
  const { invitation, mailed } = await findOpen(deps, given.token);
  const known = await findUserByEmail(deps.db, invitation.email);
  const issuer = deps.oidc.signIn?.name;
  if (known?.passwordHash === null && issuer !== undefined) {
    throw invalidRequest(
      `token is for somebody who signs in at ${issuer}: sign in there first, then open the link again`,
    );
  }
  const person = known
    ? await provePerson(deps, { ...given, email: invitation.email }, from)
    : await makePerson(deps, { ...given, email: invitation.email }, from);
  const now = deps.now();
  const signedIn = await deps.db
    .transaction(async tx => {
      const context = { tx, from, now };
      const signIn = { method: 'password', accountId: invitation.accountId } as const;
      if ('id' in person && !(await lockPasswordHash(tx, person))) throw wrongPassword();
      const user = 'id' in person ? person : await insertUser(tx, { ...person, id: person.userId });
      // First, because it locks the workspace, and the audit log is locked behind it.
      await joinWorkspace(context, invitation, user);
      if (!known) await auditSignUp(context, user, signIn);
      if (mailed) await markEmailVerified(tx, user.id, now);
      else await mailVerification(deps, tx, user);
      await knowAddress(tx, user, { from, now });
      return await openSession(context, user, signIn);
    })
    .catch(error => {
      if (!isUniqueViolation(error, 'users_email_unique')) throw error;
      throw invalidRequest(
        'token is for an address that has just signed up: send it again with its password',
      );
    });
  reportMember(deps, invitation.accountId, signedIn.user.id);
  return signedIn;
}

/** The caller was of no workspace, or of another one. */
export function reportMember({ changes }: IdentityDeps, accountId: string, userId: string): void {
  changes.add({ accountId, kind: 'member', resourceId: userId });
}

/** Makes the person of a session a member, and moves the session to the workspace. */
export async function acceptWithSession(
  deps: IdentityDeps,
  { session, ...given }: Acceptance & { session: SessionRow },
  from: From,
): Promise<void> {
  if (given.password !== undefined) {
    throw invalidRequest('password must not be given with a session: the person is known');
  }
  const { invitation } = await findOpen(deps, given.token);
  const { id, name } = session.actor;
  await deps.db.transaction(async tx => {
    await joinWorkspace({ tx, from, now: deps.now() }, invitation, { id, name, email: name });
    await setAccountOfSession(tx, session.id, invitation.accountId);
  });
  reportMember(deps, invitation.accountId, id);
}

export async function findOpen(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  token: string,
): Promise<{ invitation: InvitationRow; mailed: boolean }> {
  const at = now();
  const link = await findLink(db, { tokenHash: sha256(token), kind: 'invitation' }, at);
  const invitation = link && (await findInvitation(db, link.subjectId));
  if (!invitation || invitation.expiresAt <= at) throw notOpen();
  return { invitation, mailed: link.mailed };
}

function notOpen(): ApiError {
  return invalidRequest('token is unknown, used, withdrawn or older than 7 days; ask for another invitation');
}

async function provePerson(
  deps: IdentityDeps,
  { email, password }: Acceptance & { email: string },
  from: From,
): Promise<UserRow> {
  if (password === undefined) {
    throw invalidRequest('password is required: that of the invited address, which has signed up already');
  }
  const user = await checkPassword(deps, { email, password }, from);
  if (!user) throw wrongPassword();
  const message = 'This account has a passkey: sign in first, then open the link again.';
  await requireNoPasskey(deps, user, from, message);
  return user;
}

async function makePerson(
  { passwords, now, signUps }: IdentityDeps,
  { email, password, name }: Acceptance & { email: string },
  { address }: From,
) {
  if (password === undefined || password.length < 10) {
    throw invalidRequest('password is required and must be a text of 10 to 200 characters');
  }
  refuseWeakPassword(password, email);
  signUps.count(address);
  const passwordHash = await passwords.hash(password);
  const at = now();
  return {
    email,
    name: name ?? null,
    passwordHash,
    ownsWorkspace: false,
    now: at,
    userId: newId('user', at.getTime()),
    accountId: newId('acct', at.getTime()),
  };
}

/** Uses the invitation up. */
export async function joinWorkspace(
  { tx, from: { address, requestId }, now }: SignInContext,
  { id, accountId, email, role, invitedBy }: InvitationRow,
  person: Pick<OidcUserRow, 'id' | 'name' | 'email'>,
): Promise<void> {
  const { deletion } = await lockWorkspace(tx, accountId);
  if (deletion) throw invalidRequest(frozenText(Date.parse(deletion.deletesAt)), { status: 409 });
  if (!(await lockPerson(tx, person.id)) || !(await deleteInvitation(tx, accountId, id))) throw notOpen();
  await deleteLinks(tx, id, 'invitation');
  // A role that was changed by hand withdraws nothing.
  if ((await findMember(tx, accountId, invitedBy))?.role !== 'owner') throw notOpen();
  if (!(await insertMember(tx, { accountId, userId: person.id, role, now }))) {
    throw invalidRequest('token is for a workspace that this person is a member of already');
  }
  const actor = actorOf(person);
  const subject = { kind: 'user' as const, id: person.id };
  const detail = { invited: email, role };
  await insertAudit(
    { tx, by: { actor, address, requestId }, now },
    { accountId, action: 'member.joined', subject, detail },
  );
}
