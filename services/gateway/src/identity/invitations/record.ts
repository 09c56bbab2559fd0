import type { Role } from '@hookline/shared/contracts/scopes';

export type InvitationRow = {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
};

export function toInvitation({ id, email, role, expiresAt, createdAt, updatedAt }: InvitationRow) {
  return {
    id,
    email,
    role,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
