import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { setAccountOfSession } from '../sessions/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { toAccountId } from '../standing/workspace.rules.ts';
import { listWorkspacesOfPerson } from './queries.ts';
import type { WorkspaceOfPersonRow } from './record.ts';

export async function enterWorkspace(
  { db }: Pick<IdentityDeps, 'db'>,
  session: Pick<SessionRow, 'id' | 'userId'>,
  workspaceId: string,
): Promise<WorkspaceOfPersonRow> {
  const accountId = toAccountId(workspaceId);
  const [entered] = await listWorkspacesOfPerson(db, session.userId, accountId);
  if (!entered) throw notFound('workspace');
  await setAccountOfSession(db, session.id, accountId);
  return entered;
}
