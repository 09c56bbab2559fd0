import { notFound } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { deleteReviewLink } from './queries.ts';

export async function withdrawReviewLink(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  by: By,
  accountId: string,
  { id: contentId, linkId }: { id: string; linkId: string },
): Promise<void> {
  await db.transaction(async tx => {
    const link = await deleteReviewLink(tx, { accountId, contentId }, linkId);
    if (!link) throw notFound('review link');
    const { version, mayDecide } = link;
    const subject = { kind: 'content' as const, id: contentId };
    const detail = { linkId, version, mayDecide };
    await insertAudit(
      { tx, by, now: now() },
      { accountId, action: 'review_link.withdrawn', subject, detail },
    );
  });
}
