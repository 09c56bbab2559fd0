import { type DeletionProgress, type DeletionRequest, deleteRows } from '@hookline/shared/leaving';
import type { AnalyticsDeps } from '../deps.ts';
import { deletionSteps } from './queries.ts';

/** Deletes what this service stores of a workspace, in the time given. */
export async function deleteWorkspace(
  { db }: Pick<AnalyticsDeps, 'db'>,
  { accountId, untilMs }: DeletionRequest,
): Promise<DeletionProgress> {
  return { isDone: await deleteRows(db, deletionSteps, accountId, untilMs), note: null };
}
