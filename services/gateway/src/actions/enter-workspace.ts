import { notFound } from '@hookline/shared/contracts';
import type { Sql } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { setEnteredAccount } from '../queries/oidc-users.ts';
import { setAccountOfSession } from '../queries/sessions.ts';
import { listWorkspacesOfPerson } from '../queries/workspaces.ts';
import type { SessionRow } from '../records/session.ts';
import type { WorkspaceOfPersonRow } from '../records/workspace.ts';
import { toAccountId } from '../rules/workspace-id.ts';

/**
 * Moves a session to another workspace of its person. The tokens of an OIDC issuer are not stored: all
 * those of the person move.
 * @throws ApiError `not_found` for a workspace that the person is not a member of
 */
export async function enterWorkspace(
  { db }: Pick<GatewayDeps, 'db'>,
  session: Pick<SessionRow, 'id' | 'userId' | 'isOidc'>,
  workspaceId: string,
): Promise<WorkspaceOfPersonRow> {
  const accountId = toAccountId(workspaceId);
  const own = await listWorkspacesOfPerson(db, session.userId);
  const entered = own.find(workspace => workspace.accountId === accountId);
  if (!entered) throw notFound('workspace');
  await moveSession(db, session, accountId);
  return entered;
}

/** Moves a session to a workspace that its person is a member of. */
export async function moveSession(
  sql: Sql,
  { id, userId, isOidc }: Pick<SessionRow, 'id' | 'userId' | 'isOidc'>,
  accountId: string,
): Promise<void> {
  if (isOidc) await setEnteredAccount(sql, userId, accountId);
  else await setAccountOfSession(sql, id, accountId);
}
