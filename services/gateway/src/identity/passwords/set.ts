import { invalidRequest } from '@hookline/shared/contracts';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAuditInEach, type WriteContext } from '../audit/queries.ts';
import type { From } from '../audit/record.ts';
import { deleteCodesOf } from '../grants/queries.ts';
import { markRevokedOf } from '../keys/queries.ts';
import type { ApiKeyRow } from '../keys/record.ts';
import { forgetKeys } from '../keys/revoke.ts';
import { deleteLinks, findLink } from '../links/queries.ts';
import { insertMail } from '../mail/queries.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { actorOf } from '../standing/record.ts';
import { findUser, lockPasswordHash, markEmailVerified, setPasswordHash } from '../users/queries.ts';
import { deleteSecondFactor } from '../users/queries-second-factor.ts';
import type { UserRow } from '../users/record.ts';
import { checkPassword } from './check.ts';
import { refuseWeakPassword } from './weak-password.rules.ts';

/** Changes the password of the person of a session, and ends the person's other sessions. */
export async function changePassword(
  deps: IdentityDeps,
  { session, current, password }: { session: SessionRow; current: string; password: string },
  from: From,
): Promise<UserRow> {
  const user = await findUser(deps.db, session.userId);
  if (!user || user.passwordHash === null) {
    throw invalidRequest('current cannot be checked: this person signs in at the OIDC issuer');
  }
  refuseWeakPassword(password, user.email);
  const checked = await checkPassword(deps, { email: user.email, password: current }, from);
  if (!checked) throw notThePassword();
  const passwordHash = await deps.passwords.hash(password);
  const by = { actor: session.actor, ...from };
  return await deps.db.transaction(async tx => {
    if (!(await lockPasswordHash(tx, checked))) throw notThePassword();
    const ended = { userId: user.id, passwordHash, exceptSession: session.id, withKeys: false };
    return (await replacePassword({ tx, by, now: deps.now() }, ended)).user;
  });
}

/**
 * Sets a password with the token of a link, and ends every session of the person and, where asked, every key
 * and grant. Whoever has a mailed link has the mailbox, so the address is proven too.
 */
export async function resetPassword(
  deps: IdentityDeps,
  { token, password, revokeKeys }: { token: string; password: string; revokeKeys?: boolean | undefined },
  { address, requestId }: From,
): Promise<UserRow> {
  const link = await findLink(deps.db, { tokenHash: sha256(token), kind: 'password_reset' }, deps.now());
  const user = link && (await findUser(deps.db, link.subjectId));
  if (!user) throw notCurrent();
  const issuer = deps.oidc.signIn?.name;
  if (user.passwordHash === null && issuer !== undefined) {
    throw invalidRequest(`password cannot be set: this person signs in at ${issuer}`);
  }
  refuseWeakPassword(password, user.email);
  const passwordHash = await deps.passwords.hash(password);
  const actor = actorOf(user);
  const replaced = await deps.db.transaction(async tx => {
    // First, because it locks the user, as whoever changes the password does.
    if (link.mailed) await markEmailVerified(tx, user.id, deps.now());
    if (!(await deleteLinks(tx, user.id, 'password_reset'))) throw notCurrent();
    // Who added passkeys to an address that was not proven need not own it.
    if (link.mailed && user.emailVerifiedAt === null) await deleteSecondFactor(tx, user.id);
    const ended = { userId: user.id, passwordHash, exceptSession: null, withKeys: revokeKeys === true };
    const by = { actor, address, requestId };
    return await replacePassword({ tx, by, now: deps.now() }, ended);
  });
  await forgetKeys(deps, replaced.revoked);
  return replaced.user;
}

/** Asks for a mail with a link; whether there is such a user shows nowhere. Without SMTP nothing is sent. */
export async function requestReset({ db, now, mailer, log }: IdentityDeps, email: string): Promise<void> {
  if (!mailer) {
    log.warn('a new password was asked for, but SMTP_URL is not set: no mail can be sent');
    return;
  }
  await db.transaction(tx =>
    insertMail(tx, { kind: 'password_reset', recipient: email, subjectId: '', now: now() }),
  );
}

type Replacement = {
  userId: string;
  /** Null removes the password and its second factor. */
  passwordHash: string | null;
  exceptSession: string | null;
  /** Keys, grants and what a client was just authorized with end too. */
  withKeys: boolean;
};

export async function replacePassword(
  context: WriteContext,
  { userId, passwordHash, exceptSession, withKeys }: Replacement,
): Promise<{ user: UserRow; revoked: ApiKeyRow[] }> {
  const { tx, now } = context;
  const user = await setPasswordHash(tx, { id: userId, passwordHash }, now);
  const ended = await deleteSessionsOf(tx, userId, exceptSession);
  await deleteLinks(tx, userId, 'password_reset');
  if (passwordHash === null) await deleteSecondFactor(tx, userId);
  if (withKeys) await deleteCodesOf(tx, userId);
  const revoked = withKeys ? await markRevokedOf(tx, { accountId: null, userId }, now) : [];
  await insertAuditInEach(context, userId, {
    action: passwordHash === null ? 'auth.identity_linked' : 'auth.password_changed',
    detail: { endedSessions: ended.length, revokedKeys: revoked.length },
  });
  return { user, revoked };
}

function notThePassword() {
  return invalidRequest('current is wrong');
}

function notCurrent() {
  return invalidRequest('token is unknown, used or expired; ask for another link');
}
