import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { deleteLinks } from '../links/queries.ts';
import { deleteInvitation } from './queries.ts';

export async function withdrawInvitation(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  by: By,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await db.transaction(async tx => {
    const withdrawn = await deleteInvitation(tx, accountId, id);
    if (!withdrawn) throw notFound('invitation');
    await deleteLinks(tx, id, 'invitation');
    const subject = { kind: 'invitation' as const, id };
    await insertAudit(
      { tx, by, now: now() },
      { accountId, action: 'member.invitation_withdrawn', subject, detail: withdrawn },
    );
  });
}
