import { type DeletionProgress, type DeletionRequest, deleteRows } from '@hookline/shared/leaving';
import type { ContentDeps } from '../deps.ts';
import { deletionSteps } from '../queries/deletion.ts';

/** Deletes what this service stores of a workspace, in the time given. */
export async function deleteWorkspace(
  { db }: Pick<ContentDeps, 'db'>,
  { accountId, untilMs }: DeletionRequest,
): Promise<DeletionProgress> {
  return { isDone: await deleteRows(db, deletionSteps, accountId, untilMs), note: null };
}
