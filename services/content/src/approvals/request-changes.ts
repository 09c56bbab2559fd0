import { ApiError, notFound } from '@hookline/shared/contracts';
import type { Decider } from '@hookline/shared/contracts/content';
import { byOf, type Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import { lockContent, setChangesRequested } from '../contents/queries.ts';
import { addMoment } from '../contents/queries-timeline.ts';
import type { ContentWithImages } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { type Reviewed, refusalOfRequest, requirePolicy } from './policy.rules.ts';
import { appendReviewed, requireWaiting } from './review-content.ts';

export type ChangesRequest = {
  caller: Caller;
  contentId: string;
  seen: Reviewed;
  by?: Decider;
  reason: string;
};

/** Asks for another version. Authors may ask of themselves: nothing goes out by it. */
export async function askForChanges(
  { now }: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  { caller, contentId, seen, by = byOf(caller) ?? undefined, reason }: ChangesRequest,
): Promise<ContentWithImages> {
  const content = await lockContent(tx, caller.accountId, contentId);
  if (!content) throw notFound('content');
  requirePolicy(caller, { version: seen.version }, []);
  const asked = content.changesRequested;
  // An answer to a link may be lost, and the request sent again.
  if (by?.kind === 'reviewer' && asked?.by.id === by.id && asked.reason === reason) return content;
  requireWaiting(content, by);
  const refusal = refusalOfRequest(content, seen);
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  if (!by) throw new Error('a request for changes needs a person or a key');
  const at = now();
  const { id, version } = content;
  const request = { reason, by, at: at.toISOString() };
  await setChangesRequested(tx, id, request);
  await addMoment(tx, { contentId: id, at, what: 'changes_requested', by, version, detail: reason });
  const changed = { ...content, changesRequested: request, updatedAt: at };
  await appendReviewed(tx, 'changesRequested', changed, at);
  return changed;
}
