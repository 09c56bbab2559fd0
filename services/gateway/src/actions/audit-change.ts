import type { GatewayDeps } from '../deps.ts';
import { insertAudit } from '../queries/audit-events.ts';
import { lockWorkspaceIfAny } from '../queries/workspaces.ts';
import type { AuditEntry, By } from '../records/audit-event.ts';

/** Adds the row of a change that another service has made. Nothing for a workspace that is gone since. */
export async function auditChange(
  { db, now }: Pick<GatewayDeps, 'db' | 'now'>,
  { actor: { kind, id, name }, ...from }: By,
  entry: AuditEntry,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockWorkspaceIfAny(tx, entry.accountId))) return;
    await insertAudit(tx, { actor: { kind, id, name }, ...from }, now(), entry);
  });
}
