import { useQuery } from '@tanstack/react-query';
import { sessionQuery, workspacesQuery } from './queries.ts';
import type { Role, Schedule, User } from './types.ts';

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, approver: 2, owner: 3 };

/**
 * The signed-in person in this workspace, and what the role opens. The server decides; this
 * only hides what it refuses.
 */
export type Me = {
  user: User | null;
  role: Role;
  canEdit: boolean;
  canApprove: boolean;
  /** Direct posts and automations. */
  canPublish: boolean;
  isOwner: boolean;
};

/** Move, retry: a direct post needs what publishing it needs. The same check that the server makes. */
export function canChange(me: Pick<Me, 'canEdit' | 'canPublish'>, { mode }: Pick<Schedule, 'mode'>): boolean {
  return mode === 'publish' ? me.canPublish : me.canEdit;
}

export function useMe(): Me {
  const user = useQuery(sessionQuery).data?.user ?? null;
  const workspaces = useQuery(workspacesQuery).data;
  // Until it is known nothing is hidden, so that nothing jumps.
  const role = workspaces?.find(({ current }) => current)?.role ?? 'owner';
  const rank = ranks[role];
  return {
    user,
    role,
    canEdit: rank >= ranks.editor,
    canApprove: rank >= ranks.approver,
    canPublish: rank >= ranks.approver,
    isOwner: role === 'owner',
  };
}
