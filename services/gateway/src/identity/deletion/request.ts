import { notFound } from '@hookline/shared/contracts';
import { ownersOfData } from '@hookline/shared/contracts/internal';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import { renewKeys } from '../keys/renew.ts';
import { remindOfDecks } from '../mail/remind.ts';
import { toWorkspaceId } from '../standing/workspace.rules.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import type { WorkspaceRow } from '../workspaces/record.ts';
import { type Confirmation, confirmPerson } from './confirm-person.ts';
import { graceMs } from './plan.rules.ts';
import { findDeletion, insertDeletion, markRestored, reportToAll } from './queries.ts';

/**
 * Freezes the workspace and has it deleted in seven days. A repeat changes nothing. When it resolves, no
 * gateway lets a key write.
 */
export async function requestDeletion(deps: IdentityDeps, confirmation: Confirmation): Promise<WorkspaceRow> {
  return await change(deps, confirmation, async (tx, isFrozen, now) => {
    const { accountId, userId: requestedBy, actor } = confirmation.session;
    if (isFrozen) return;
    const deleteAt = new Date(now.getTime() + graceMs);
    await insertDeletion(tx, { accountId, requestedBy, requestedAt: now, deleteAt });
    await reportToAll(tx, { accountId, services: ownersOfData }, now);
    const subject = { kind: 'workspace' as const, id: toWorkspaceId(accountId) };
    const detail = { deletesAt: deleteAt.toISOString() };
    await insertAudit(
      { tx, by: { actor, ...confirmation.from }, now },
      { accountId, action: 'workspace.deletion_requested', subject, detail },
    );
  });
}

/**
 * Ends the grace period: the workspace works again. Does nothing for one whose deletion was not requested.
 */
export async function restoreWorkspace(
  deps: IdentityDeps,
  confirmation: Confirmation,
): Promise<WorkspaceRow> {
  return await change(deps, confirmation, async (tx, isFrozen, now) => {
    const { accountId, actor } = confirmation.session;
    if (!isFrozen) return;
    await markRestored(tx, accountId);
    await reportToAll(tx, { accountId, services: ownersOfData }, now);
    // Nobody was mailed while the workspace was frozen.
    await remindOfDecks(deps, tx, accountId);
    const subject = { kind: 'workspace' as const, id: toWorkspaceId(accountId) };
    await insertAudit(
      { tx, by: { actor, ...confirmation.from }, now },
      { accountId, action: 'workspace.restored', subject },
    );
  });
}

async function change(
  deps: IdentityDeps,
  confirmation: Confirmation,
  write: (tx: Transaction, isFrozen: boolean, now: Date) => Promise<void>,
): Promise<WorkspaceRow> {
  const { accountId } = confirmation.session;
  const confirmIn = await confirmPerson(deps, confirmation);
  const row = await deps.db.transaction(async tx => {
    await lockWorkspace(tx, accountId);
    // Read behind the lock: another request may have asked, or the deletion begun, while this one waited.
    const standing = (await findDeletion(tx, accountId))?.standing;
    if (standing === 'deleted') throw notFound('workspace');
    // The workspace is locked first, as where its people are deleted.
    await confirmIn(tx);
    await write(tx, standing === 'frozen', deps.now());
    return await lockWorkspace(tx, accountId);
  });
  await renewKeys(deps, accountId, null);
  return row;
}
