import { pruneBatch } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { IdentityDeps } from '../../identity-deps.ts';
import { deleteOldAudit } from './queries.ts';

/** Deletes up to 1,000 rows of the audit log that are older than it is kept. */
export async function pruneAudit({
  db,
  now,
  auditDays,
}: Pick<IdentityDeps, 'db' | 'now' | 'auditDays'>): Promise<boolean> {
  return (await deleteOldAudit(db, new Date(now().getTime() - auditDays * dayMs))) === pruneBatch;
}
