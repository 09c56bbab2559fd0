import type { Role } from '@hookline/shared/contracts/scopes';

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
