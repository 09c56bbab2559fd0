import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import { storeLimits } from '../collecting/collect-instagram.ts';
import { isResting } from '../collecting/queries-limits.ts';
import type { AnalyticsDeps } from '../deps.ts';
import type { Platform } from '../platforms/numbers.rules.ts';
import { readPostUrl } from '../posts/post-url.rules.ts';
import { listReaders, markNeedsReauth } from '../sources/queries.ts';
import { findResults } from './queries.ts';

/** Accounts of Instagram that are asked for a post. */
const readersMax = 10;

export type FoundPost = { platform: Platform; platformPostId: string };

/**
 * Finds the post of a deck on YouTube or Instagram by its address.
 * @throws ApiError `not_found` for a deck that was never approved, `invalid_request` for an address that names
 * no post there, or none of a connected Instagram account, `service_unavailable` if Instagram does not answer.
 */
export async function findPost(
  deps: AnalyticsDeps,
  { accountId, contentId, url }: { accountId: string; contentId: string; url: string },
): Promise<FoundPost> {
  if (!(await findResults(deps.db, accountId, contentId))) throw notFound('content');
  const named = readPostUrl(url);
  if (!named) {
    throw invalidRequest(
      'url must be the https address of a post on YouTube or Instagram. TikTok tells the views of public posts where the account allows it; of private posts and posts by phone, enter them with POST /content/{id}/results.',
    );
  }
  const { platform, code } = named;
  return { platform, platformPostId: platform === 'youtube' ? code : await findMedia(deps, accountId, code) };
}

/** The address has a code; the numbers need the id, which Instagram tells the owner of the post alone. */
async function findMedia(deps: AnalyticsDeps, accountId: string, code: string): Promise<string> {
  const { db, now, instagram, secretBox, log, timings } = deps;
  const untilMs = performance.now() + timings.askMs;
  const readers = await listReaders(db, { accountId, sourceId: '' }, readersMax);
  let isAnswered = true;
  for (const reader of readers) {
    const { id } = reader;
    const token = secretBox.tryOpen(reader.tokenSealed, id);
    const isOff = performance.now() > untilMs || (await isResting(db, [id, 'instagram'], now()));
    const answer = token === null || isOff ? null : await instagram.findMedia(token, code, untilMs);
    // What this caller's time cuts short says nothing about Instagram.
    if (answer && answer.kind !== 'unavailable') await storeLimits(deps, id, answer);
    if (answer?.kind === 'ok' && answer.value !== null) return answer.value;
    if (answer?.kind === 'refused' && answer.problem === 'token') await markNeedsReauth(db, reader, now());
    else if (answer?.kind !== 'ok') {
      isAnswered = false;
      log.warn({ sourceId: id, answer: answer?.kind }, 'the posts of a source could not be listed');
    }
  }
  if (!isAnswered) {
    throw new ApiError('service_unavailable', 'Instagram could not be asked for the post; try again.', {
      retryAfterSeconds: 5,
    });
  }
  throw invalidRequest(
    'url must be among the newest 500 posts of a connected Instagram account (POST /analytics/sources)',
  );
}
