import { notFound } from '@hookline/shared/contracts';
import type { AnalyticsDeps } from '../deps.ts';
import { deleteSource } from './queries.ts';

/** Deletes a source and its token. @throws ApiError `not_found` */
export async function disconnectSource({ db }: AnalyticsDeps, accountId: string, id: string): Promise<void> {
  if (!(await deleteSource(db, accountId, id))) throw notFound('source');
}
