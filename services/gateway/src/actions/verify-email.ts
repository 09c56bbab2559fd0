import { invalidRequest } from '@hookline/shared/contracts';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { GatewayDeps } from '../deps.ts';
import { deleteLinks, findLink } from '../queries/links.ts';
import { markEmailVerified } from '../queries/users.ts';
import type { UserRow } from '../records/user.ts';

/**
 * Proves an address with the token of a link.
 * @throws ApiError `invalid_request` for a token that does not work
 */
export async function verifyEmail({ db, now }: GatewayDeps, token: string): Promise<UserRow> {
  const at = now();
  const link = await findLink(db, sha256(token), 'email_verification', at);
  if (!link) throw notCurrent();
  const userId = link.subjectId;
  return await db.transaction(async tx => {
    if (!(await deleteLinks(tx, userId, 'email_verification'))) throw notCurrent();
    return await markEmailVerified(tx, userId, at);
  });
}

function notCurrent() {
  return invalidRequest(
    'token is not one of a current link: it was used or has expired; sign in to be sent another',
  );
}
