import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import type { Role } from '@hookline/shared/contracts/scopes';
import { Member, Workspace } from '@hookline/shared/contracts/workspace';
import { toWorkspaceId } from '../standing/workspace.rules.ts';

/** `deletion` has its times as Postgres writes them. */
export type WorkspaceRow = RowOf<Omit<Workspace, 'id'>> & { accountId: string };

export function toWorkspace(row: WorkspaceRow): Workspace {
  const { accountId, deletion } = row;
  return recordOf(Workspace, {
    ...row,
    id: toWorkspaceId(accountId),
    deletion: deletion && {
      requestedAt: new Date(deletion.requestedAt).toISOString(),
      deletesAt: new Date(deletion.deletesAt).toISOString(),
    },
  });
}

export type WorkspaceOfPersonRow = { accountId: string; name: string; role: Role };

export function toWorkspaceOfPerson({ accountId, name, role }: WorkspaceOfPersonRow, current: string) {
  return { id: toWorkspaceId(accountId), name, role, current: accountId === current };
}

export type MemberRow = RowOf<Member>;

export function toMember(row: MemberRow): Member {
  return recordOf(Member, row);
}
