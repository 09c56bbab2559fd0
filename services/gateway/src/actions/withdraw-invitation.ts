import { notFound } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import { deleteInvitation } from '../queries/invitations.ts';
import { deleteLinks } from '../queries/links.ts';

/** Withdraws an invitation: its links open nothing. @throws ApiError `not_found` */
export async function withdrawInvitation(
  { db }: Pick<GatewayDeps, 'db'>,
  accountId: string,
  id: string,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await deleteInvitation(tx, accountId, id))) throw notFound('invitation');
    await deleteLinks(tx, id, 'invitation');
  });
}
