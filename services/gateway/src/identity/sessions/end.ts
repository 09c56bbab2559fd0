import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { deleteSessionOf, deleteSessionsOf } from './queries.ts';
import type { SessionRow } from './record.ts';

type Whose = Pick<SessionRow, 'id' | 'userId'>;

/** @returns their ids */
export async function endOtherSessions(
  { db }: Pick<IdentityDeps, 'db'>,
  { id, userId }: Whose,
): Promise<string[]> {
  return await deleteSessionsOf(db, userId, id);
}

export async function endSession(
  { db }: Pick<IdentityDeps, 'db'>,
  { userId }: Whose,
  id: string,
): Promise<void> {
  if (!(await deleteSessionOf(db, userId, id))) throw notFound('session');
}
