import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { From } from '../audit/record.ts';
import { anonymousActor } from '../audit/record.ts';
import type { ExportRow } from './record.ts';

/** Notes who takes an archive away: the link opens it for anybody. */
export async function auditDownload(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  { id, accountId }: Pick<ExportRow, 'id' | 'accountId'>,
  { address, requestId }: From,
): Promise<void> {
  await db.transaction(tx =>
    insertAudit(
      { tx, by: { actor: anonymousActor, address, requestId }, now: now() },
      {
        ...{ accountId, action: 'workspace.export_downloaded', subject: { kind: 'export', id } },
      },
    ),
  );
}
