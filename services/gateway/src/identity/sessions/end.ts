import { notFound } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../../deps.ts';
import { deleteSessionOf, deleteSessionsOf } from './queries.ts';
import type { SessionRow } from './record.ts';

type Whose = Pick<SessionRow, 'id' | 'userId'>;

/** Ends every other session of the person. @returns their ids */
export async function endOtherSessions(
  { db }: Pick<GatewayDeps, 'db'>,
  { id, userId }: Whose,
): Promise<string[]> {
  return await deleteSessionsOf(db, userId, id);
}

/** Ends one session of the person. @throws ApiError `not_found` */
export async function endSession(
  { db }: Pick<GatewayDeps, 'db'>,
  { userId }: Whose,
  id: string,
): Promise<void> {
  if (!(await deleteSessionOf(db, userId, id))) throw notFound('session');
}
