import { rateLimited } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { SessionContext } from '../sessions/session-of.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { exportLifetimeMs, exportsPerDay } from './export.rules.ts';
import { insertExport, listExportTimes } from './queries.ts';
import type { ExportRow } from './record.ts';

export async function requestExport(
  { now }: Pick<IdentityDeps, 'now'>,
  { tx, by, session: { accountId, userId } }: SessionContext,
): Promise<ExportRow> {
  const at = now();
  await lockWorkspace(tx, accountId);
  const times = await listExportTimes(tx, accountId, new Date(at.getTime() - dayMs));
  const blocking = times.at(-exportsPerDay);
  if (blocking) {
    throw rateLimited(Math.max(1, Math.ceil((blocking.getTime() + dayMs - at.getTime()) / 1000)));
  }
  const id = newId('export', at.getTime());
  const expiresAt = new Date(at.getTime() + exportLifetimeMs);
  const subject = { kind: 'export' as const, id };
  await insertAudit({ tx, by, now: at }, { accountId, action: 'workspace.export_requested', subject });
  return await insertExport(tx, { id, accountId, requestedBy: userId, expiresAt, now: at });
}
