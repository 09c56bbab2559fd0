import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { markRevokedOf } from '../keys/queries.ts';
import { forgetKeys } from '../keys/revoke.ts';
import { deleteSessionsIn } from '../sessions/queries.ts';
import { requireAnotherOwner } from './change-role.ts';
import { lockWorkspace } from './queries.ts';
import { deleteInvitationsBy, deleteMember, findMember } from './queries-members.ts';

/**
 * Removes a member, the sessions that the member has in the workspace, the keys that the member created and
 * the invitations that the member made. When it resolves, no gateway admits any of them.
 */
export async function removeMember(
  deps: IdentityDeps,
  by: By,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<string[]> {
  const now = deps.now();
  const keys = await deps.db.transaction(async tx => {
    await lockWorkspace(tx, accountId);
    const member = await findMember(tx, accountId, userId);
    if (!member) throw notFound('member');
    if (member.role === 'owner') await requireAnotherOwner(tx, accountId);
    await deleteMember(tx, accountId, userId);
    const withdrawn = await deleteInvitationsBy(tx, accountId, userId);
    await deleteSessionsIn(tx, accountId, userId);
    const revoked = await markRevokedOf(tx, { accountId, userId }, now);
    const subject = { kind: 'user' as const, id: userId };
    const detail = {
      role: member.role,
      revokedKeyIds: revoked.map(({ id }) => id),
      withdrawnInvitationIds: withdrawn,
    };
    await insertAudit({ tx, by, now }, { accountId, action: 'member.removed', subject, detail });
    return revoked;
  });
  await forgetKeys(deps, keys);
  return keys.map(({ id }) => id);
}
