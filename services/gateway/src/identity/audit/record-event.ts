import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { lockWorkspaceIfAny } from '../standing/queries.ts';
import { insertAudit } from './queries.ts';
import { type AuditAction, type AuditActor, type AuditEntry, anonymousActor } from './record.ts';

export type Deed = Pick<AuditEntry, 'detail'> & {
  action: AuditAction;
  kind: AuditEntry['subject']['kind'];
  by: AuditActor | null;
};

export async function recordEvent(tx: Transaction, event: HooklineEvent, deed: Deed): Promise<void> {
  if (!(await lockWorkspaceIfAny(tx, event.accountId))) return;
  const { action, kind, by, detail = {} } = deed;
  const from = {
    actor: by ?? anonymousActor,
    address: event.address ?? null,
    requestId: event.requestId,
  };
  const subject = { kind, id: event.subject };
  await insertAudit(
    { tx, by: from, now: new Date(event.time) },
    { accountId: event.accountId, action, subject, detail },
  );
}
