import { dayMs } from '@hookline/shared/kernel/durations';
import { type DeletionProgress, type DeletionRequest, deleteRows } from '@hookline/shared/leaving';
import { markDeleted, markDeletedIfShared } from '../accounts/queries.ts';
import { revokeTokens } from '../accounts/revoke.ts';
import type { SchedulingDeps } from '../deps.ts';
import { countAccountsToRevoke, deletionSteps, findAccountToRevoke } from './queries.ts';

/** A deletion waits so long for a platform that cannot be reached. */
const patienceMs = dayMs;

/** Revokes the tokens, then deletes what this service stores of the workspace, in the time given. */
export async function deleteWorkspace(
  deps: SchedulingDeps,
  request: DeletionRequest,
): Promise<DeletionProgress> {
  const revoked = await revokeAccounts(deps, request);
  if (!revoked.isDone) return revoked;
  const isDone = await deleteRows(deps.db, deletionSteps, request.accountId, request.untilMs);
  return { isDone, note: isDone ? revoked.note : null };
}

/**
 * A revocation would end the consent for another workspace that has the creator connected too. Tokens that
 * the platform could not revoke within a day are deleted with the other rows; the note says how many, because
 * the platform accepts them until they expire.
 */
async function revokeAccounts(
  deps: SchedulingDeps,
  { accountId, since, untilMs }: DeletionRequest,
): Promise<DeletionProgress> {
  for (let triedTo = ''; ; ) {
    if (performance.now() > untilMs) return { isDone: false, note: null };
    const account = await findAccountToRevoke(deps.db, accountId, triedTo);
    if (account === null) break;
    const { id } = account;
    if (await deps.db.transaction(tx => markDeletedIfShared(tx, id, deps.now()))) continue;
    const outcome = await revokeTokens(deps, account);
    if (outcome === 'unanswered') break;
    if (outcome === 'shared') continue;
    if (outcome === 'revoked') await deps.db.transaction(tx => markDeleted(tx, id, deps.now()));
    triedTo = id;
  }
  const left = await countAccountsToRevoke(deps.db, accountId);
  if (left === 0) return { isDone: true, note: null };
  const isOver = deps.now().getTime() - since.getTime() > patienceMs;
  if (!isOver) return { isDone: false, note: `${left} TikTok accounts are not revoked yet` };
  deps.log.error({ accountId, left }, 'tokens of a deleted workspace could not be revoked and are deleted');
  return { isDone: true, note: `${left} TikTok accounts could not be revoked; their tokens were deleted` };
}
