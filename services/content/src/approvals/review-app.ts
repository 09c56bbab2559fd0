import { ApiError, notFound } from '@hookline/shared/contracts';
import type { ReviewAppBody } from '@hookline/shared/contracts/apps';
import type { Caller } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import type { Transaction } from '@hookline/shared/postgres';
import { lockApp, lockUnreviewed, setUnreviewed } from '../apps/queries.ts';
import type { AppRow } from '../apps/record.ts';
import { unreviewedBeside } from '../apps/unreviewed.rules.ts';
import type { ContentRow } from '../contents/record.ts';
import { endPictureMarks, listUnreviewedPictures } from '../pictures/queries.ts';
import type { Change } from '../pictures/record.ts';
import { requirePolicy } from './policy.rules.ts';

export type AppReview = { caller: Caller; params: { id: string }; body: ReviewAppBody };

/**
 * Ends the marks of the items.
 * @throws ApiError `not_ready` for an item that was changed since, or by `requirePolicy`
 */
export async function reviewApp(
  tx: Transaction,
  { caller, params: { id }, body: { items } }: AppReview,
): Promise<AppRow> {
  const app = await lockApp(tx, caller.accountId, id);
  if (!app) throw notFound('app');
  const pictures = await listUnreviewedPictures(tx, id);
  const ended = new Set<Change>();
  for (const [i, { item, pictureId, at }] of items.entries()) {
    const mark =
      item === 'picture'
        ? pictures.find(picture => picture.pictureId === pictureId)
        : app.unreviewed.find(field => field.item === item);
    requirePolicy(caller, { [`items[${i}].at`]: at }, mark ? [mark.authorId] : []);
    if (!mark) continue;
    if (at !== undefined && at !== mark.at) {
      const message = `items[${i}].at is ${at}, but ${item} was changed at ${mark.at}; look at it first.`;
      throw new ApiError('not_ready', message);
    }
    ended.add(mark);
  }
  const seen = pictures.filter(picture => ended.has(picture)).map(({ pictureId }) => pictureId);
  if (seen.length > 0) await endPictureMarks(tx, id, seen, null);
  const unreviewed = app.unreviewed.filter(field => !ended.has(field));
  await setUnreviewed(tx, id, unreviewed);
  return { ...app, unreviewed };
}

/** Ends the marks of what an approved content shows, except the approver's own under `selfApproval: false`. */
export async function endShownMarks(
  tx: Transaction,
  caller: Pick<Caller, 'actor' | 'approvalPolicy'>,
  content: ContentRow,
): Promise<void> {
  const self = caller.approvalPolicy.selfApproval ? null : authorOf(caller);
  const { appId, shown } = content;
  // Whoever deletes a picture locks the app first too.
  const app = await lockUnreviewed(tx, appId);
  if (shown && shown.pictureIds.length > 0) await endPictureMarks(tx, appId, shown.pictureIds, self);
  if (!app) return;
  const beside = new Set(unreviewedBeside(app, content));
  const left = app.unreviewed.filter(mark => beside.has(mark) || mark.authorId === self);
  if (left.length < app.unreviewed.length) await setUnreviewed(tx, appId, left);
}
