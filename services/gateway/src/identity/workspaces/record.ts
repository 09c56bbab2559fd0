import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import type { Role } from '@hookline/shared/contracts/scopes';
import { toWorkspaceId } from '../standing/workspace.rules.ts';

export type WorkspaceRow = {
  accountId: string;
  name: string;
  timezone: string;
  approvalPolicy: ApprovalPolicy;
  sendingPaused: boolean;
  /** ISO 8601 as Postgres writes it. Null unless the deletion was requested. */
  deletion: { requestedAt: string; deletesAt: string } | null;
  createdAt: Date;
  updatedAt: Date;
};

export function toWorkspace(row: WorkspaceRow) {
  return {
    id: toWorkspaceId(row.accountId),
    name: row.name,
    timezone: row.timezone,
    approvalPolicy: row.approvalPolicy,
    sendingPaused: row.sendingPaused,
    deletion: row.deletion && {
      requestedAt: new Date(row.deletion.requestedAt).toISOString(),
      deletesAt: new Date(row.deletion.deletesAt).toISOString(),
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export type WorkspaceOfPersonRow = { accountId: string; name: string; role: Role };

export function toWorkspaceOfPerson({ accountId, name, role }: WorkspaceOfPersonRow, current: string) {
  return { id: toWorkspaceId(accountId), name, role, current: accountId === current };
}

export type MemberRow = {
  userId: string;
  email: string | null;
  name: string | null;
  role: Role;
  createdAt: Date;
  updatedAt: Date;
};

export function toMember({ userId, email, name, role, createdAt, updatedAt }: MemberRow) {
  return {
    userId,
    email,
    name,
    role,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
