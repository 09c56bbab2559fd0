import { invalidRequest } from '@hookline/shared/contracts';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { insertAuditInEach } from '../queries/audit-events.ts';
import { deleteLinks, findLink } from '../queries/links.ts';
import { insertMail } from '../queries/mails.ts';
import { deleteSessionsOf } from '../queries/sessions.ts';
import { findUser, lockPasswordHash, markEmailVerified, setPasswordHash } from '../queries/users.ts';
import { listWorkspacesOfPerson } from '../queries/workspaces.ts';
import type { By } from '../records/audit-event.ts';
import type { SessionRow } from '../records/session.ts';
import { actorOf } from '../records/standing.ts';
import type { UserRow } from '../records/user.ts';
import { checkPassword, type From } from './check-password.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';

/**
 * Changes the password of the person of a session, and ends the person's other sessions.
 * @throws ApiError `invalid_request` for a wrong `current`, and for a user of the OIDC issuer; `rate_limited`
 */
export async function changePassword(
  deps: GatewayDeps,
  session: SessionRow,
  { current, password }: { current: string; password: string },
  from: From,
): Promise<UserRow> {
  const user = await findUser(deps.db, session.userId);
  if (!user) throw invalidRequest('current cannot be checked: this person signs in at the OIDC issuer');
  refuseWeakPassword(password, user.email);
  const checked = await checkPassword(deps, { email: user.email, password: current }, from);
  if (!checked) throw notThePassword();
  const passwordHash = await deps.passwords.hash(password);
  const by = { actor: session.actor, ...from };
  return await deps.db.transaction(async tx => {
    if (!(await lockPasswordHash(tx, checked))) throw notThePassword();
    return await replacePassword(deps, tx, by, user.id, passwordHash, session.id);
  });
}

/**
 * Sets a password with the token of a link, and ends every session of the person. Whoever has a mailed link
 * has the mailbox, so the address is proven too.
 * @throws ApiError `invalid_request` for a token that was used or has expired
 */
export async function resetPassword(
  deps: GatewayDeps,
  { token, password }: { token: string; password: string },
  { address, requestId }: From,
): Promise<UserRow> {
  const link = await findLink(deps.db, sha256(token), 'password_reset', deps.now());
  const user = link && (await findUser(deps.db, link.subjectId));
  if (!user) throw notCurrent();
  refuseWeakPassword(password, user.email);
  const passwordHash = await deps.passwords.hash(password);
  const actor = actorOf(user);
  return await deps.db.transaction(async tx => {
    if (!(await deleteLinks(tx, user.id, 'password_reset'))) throw notCurrent();
    if (link.mailed) await markEmailVerified(tx, user.id, deps.now());
    return await replacePassword(deps, tx, { actor, address, requestId }, user.id, passwordHash, null);
  });
}

/** Asks for a mail with a link; whether there is such a user shows nowhere. Without SMTP nothing is sent. */
export async function requestReset({ db, now, mailer, log }: GatewayDeps, email: string): Promise<void> {
  if (!mailer) {
    log.warn('a new password was asked for, but SMTP_URL is not set: no mail can be sent');
    return;
  }
  await db.transaction(tx =>
    insertMail(tx, { kind: 'password_reset', recipient: email, subjectId: '', now: now() }),
  );
}

async function replacePassword(
  { now }: GatewayDeps,
  tx: Transaction,
  by: By,
  userId: string,
  passwordHash: string,
  exceptSession: string | null,
): Promise<UserRow> {
  const at = now();
  const user = await setPasswordHash(tx, userId, passwordHash, at);
  const ended = await deleteSessionsOf(tx, userId, exceptSession);
  await deleteLinks(tx, userId, 'password_reset');
  const workspaces = await listWorkspacesOfPerson(tx, userId);
  const accountIds = workspaces.map(({ accountId }) => accountId);
  await insertAuditInEach(tx, by, at, accountIds, {
    action: 'auth.password_changed',
    subject: { kind: 'user', id: userId },
    detail: { endedSessions: ended.length },
  });
  return user;
}

function notThePassword() {
  return invalidRequest('current is not the password');
}

function notCurrent() {
  return invalidRequest('token is not one of a current link: it was used or has expired; ask for another');
}
