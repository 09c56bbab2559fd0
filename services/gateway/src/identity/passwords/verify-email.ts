import { invalidRequest } from '@hookline/shared/contracts';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { deleteLinks, findLink } from '../links/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { findUser, markEmailVerified } from '../users/queries.ts';
import type { UserRow } from '../users/record.ts';
import { checkPassword } from './check.ts';

type EmailProof = { token: string; password?: string | undefined; session: SessionRow | null };

/**
 * Proves an address with the token of a link, for the person who set the account up: whoever reads the mailbox
 * need not be that person.
 */
export async function verifyEmail(
  deps: IdentityDeps,
  { token, password, session }: EmailProof,
  from: From,
): Promise<UserRow> {
  const link = await findLink(deps.db, { tokenHash: sha256(token), kind: 'email_verification' }, deps.now());
  const user = link && (await findUser(deps.db, link.subjectId));
  if (!user) throw notCurrent();
  if (session?.userId !== user.id) {
    if (password === undefined) {
      throw invalidRequest('password is required: that of the account of the link, or sign in to it first');
    }
    if (!(await checkPassword(deps, { email: user.email, password }, from))) {
      throw invalidRequest('password is not the one of the account of the link');
    }
  }
  return await deps.db.transaction(async tx => {
    if (!(await deleteLinks(tx, user.id, 'email_verification'))) throw notCurrent();
    return await markEmailVerified(tx, user.id, deps.now());
  });
}

function notCurrent() {
  return invalidRequest('token is unknown, used or expired; sign in to be sent another link');
}
