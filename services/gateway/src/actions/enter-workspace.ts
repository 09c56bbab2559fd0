import { notFound } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import { setAccountOfSession } from '../queries/sessions.ts';
import { listWorkspacesOfPerson } from '../queries/workspaces.ts';
import type { SessionRow } from '../records/session.ts';
import type { WorkspaceOfPersonRow } from '../records/workspace.ts';
import { toAccountId } from '../rules/workspace-id.ts';

/**
 * Moves a session to another workspace of its person.
 * @throws ApiError `not_found` for a workspace that the person is not a member of
 */
export async function enterWorkspace(
  { db }: Pick<GatewayDeps, 'db'>,
  session: Pick<SessionRow, 'id' | 'userId'>,
  workspaceId: string,
): Promise<WorkspaceOfPersonRow> {
  const accountId = toAccountId(workspaceId);
  const own = await listWorkspacesOfPerson(db, session.userId);
  const entered = own.find(workspace => workspace.accountId === accountId);
  if (!entered) throw notFound('workspace');
  await setAccountOfSession(db, session.id, accountId);
  return entered;
}
