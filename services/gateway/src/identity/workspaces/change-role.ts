import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Role } from '@hookline/shared/contracts/scopes';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { renewKeys } from '../keys/renew.ts';
import { lockWorkspace } from './queries.ts';
import { countOwners, deleteInvitationsBy, findMember, setRole } from './queries-members.ts';
import type { MemberRow } from './record.ts';

/**
 * Gives a member another role. When it resolves, no gateway admits a key of the member with the scopes of the
 * old one, and invitations of a former owner are withdrawn.
 */
export async function changeRole(
  deps: IdentityDeps,
  by: By,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<MemberRow> {
  const now = deps.now();
  const changed = await deps.db.transaction(async tx => {
    await lockWorkspace(tx, accountId);
    const member = await findMember(tx, accountId, userId);
    if (!member) throw notFound('member');
    if (member.role === role) return member;
    if (member.role === 'owner') await requireAnotherOwner(tx, accountId);
    await setRole(tx, { accountId, userId, role, now });
    const withdrawn = role === 'owner' ? [] : await deleteInvitationsBy(tx, accountId, userId);
    const subject = { kind: 'user' as const, id: userId };
    const detail = { from: member.role, to: role, withdrawnInvitationIds: withdrawn };
    await insertAudit({ tx, by, now }, { accountId, action: 'member.role_changed', subject, detail });
    return { ...member, role, updatedAt: now };
  });
  await renewKeys(deps, accountId, userId);
  return changed;
}

/** Call it with the workspace locked. */
export async function requireAnotherOwner(tx: Transaction, accountId: string): Promise<void> {
  if ((await countOwners(tx, accountId)) > 1) return;
  throw invalidRequest('A workspace keeps at least one owner: make another member an owner first.', {
    status: 409,
  });
}
