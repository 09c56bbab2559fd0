import { notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { AutomationDeps } from '../deps.ts';
import { deleteAutomation as remove } from '../queries/automations.ts';

/** @throws ApiError `not_found` */
export async function deleteAutomation(
  { db, now }: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!(await remove(db, caller.accountId, id, now()))) throw notFound('automation');
}
