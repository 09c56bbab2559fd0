import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import type { Role } from '@hookline/shared/contracts/scopes';

export type Actor = {
  kind: 'person' | 'key';
  id: string;
  name: string;
};

type Person = { id: string; name: string | null; email: string | null };

export function actorOf({ id, name, email }: Person): Actor {
  return { kind: 'person', id, name: name ?? email ?? id };
}

/** The place of a session or key in its workspace. */
export type Standing = {
  accountId: string;
  /** The person's; for a key, that of the member who created it. */
  role: Role;
  approvalPolicy: ApprovalPolicy;
  /** When the workspace is deleted; null unless that was requested. Until then it is frozen. */
  deletesAtMs: number | null;
  actor: Actor;
};
