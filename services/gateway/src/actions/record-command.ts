import type { Database } from '@hookline/shared/postgres';
import { insertAudit } from '../queries/audit-events.ts';
import { lockWorkspaceIfAny } from '../queries/workspaces.ts';
import { byOperator } from '../rules/operator.ts';
import { toWorkspaceId } from '../rules/workspace-id.ts';

/**
 * Adds the row of an operator command that concerned an account. Nothing for an account without a workspace.
 */
export async function recordCommand(
  db: Database,
  accountId: string,
  detail: { command: string } & Record<string, unknown>,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockWorkspaceIfAny(tx, accountId))) return;
    await insertAudit(tx, byOperator, new Date(), {
      accountId,
      action: 'operator.command',
      subject: { kind: 'workspace', id: toWorkspaceId(accountId) },
      detail,
    });
  });
}
