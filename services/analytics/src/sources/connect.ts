import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/analytics';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { lockForCount } from '@hookline/shared/postgres';
import type { AnalyticsDeps, WriteContext } from '../deps.ts';
import type { InstagramUser } from '../platforms/instagram.ts';
import { deleteSource, findSourceOfUser, makeInstagramDue, saveSource } from './queries.ts';
import type { SourceRow } from './record.ts';

// The platform refreshes tokens that are at least 24 h old, and the age of the given one is unknown.
const firstRefreshMs = 25 * hourMs;

type VerifiedToken = { accessToken: string; user: InstagramUser };

/**
 * Verifies a token with the platform and returns its account.
 * @throws ApiError `invalid_request` for a token that Instagram refuses, or of an account that has no
 * insights; `service_unavailable` if Instagram cannot be reached.
 */
export async function verifySource(
  deps: AnalyticsDeps,
  { accessToken }: BodyOf<typeof contracts.createSource>,
): Promise<InstagramUser> {
  const untilMs = performance.now() + deps.timings.askMs;
  const user = await verify(deps, accessToken);
  if (!user.isProfessional) {
    throw invalidRequest(
      'accessToken must belong to a professional account: Instagram reports metrics only for those',
    );
  }
  if (!(await deps.instagram.mayReadInsights(accessToken, untilMs))) {
    throw invalidRequest(
      'accessToken must have the permission instagram_business_manage_insights: without it Instagram tells no views',
    );
  }
  return user;
}

/**
 * Connects an Instagram account. An account that is already connected keeps its id and gets the new token.
 */
export async function connectSource(
  { secretBox }: Pick<AnalyticsDeps, 'secretBox'>,
  { tx, accountId, now }: WriteContext,
  { accessToken, user: { userId, username } }: VerifiedToken,
): Promise<SourceRow> {
  // Whoever registers a post has this lock too: both update all sources of the account, in any order.
  await lockForCount(tx, 'posts', accountId);
  const id = (await findSourceOfUser(tx, accountId, userId)) ?? newId('source', now.getTime());
  const row = await saveSource(tx, {
    id,
    accountId,
    platformUserId: userId,
    username,
    tokenSealed: secretBox.seal(accessToken, id),
    refreshAt: new Date(now.getTime() + firstRefreshMs),
    now,
  });
  await makeInstagramDue(tx, accountId, now);
  return row;
}

async function verify({ instagram, log }: AnalyticsDeps, accessToken: string): Promise<InstagramUser> {
  const answer = await instagram.readUser(accessToken);
  if (answer.kind === 'ok') return answer.value;
  const problem = answer.kind === 'refused' ? answer.problem : null;
  if (problem !== null && !['limited', 'app_limited', 'transient'].includes(problem)) {
    throw invalidRequest('accessToken is refused by Instagram: it must be a valid token of the account');
  }
  log.warn(
    { problem, reason: answer.kind === 'unavailable' ? answer.reason : null },
    'a token was not verified',
  );
  throw new ApiError('service_unavailable', 'The token could not be verified at Instagram; try again.', {
    retryAfterSeconds: 5,
  });
}

/** Deletes a source and its token. @throws ApiError `not_found` */
export async function disconnectSource({ db }: AnalyticsDeps, accountId: string, id: string): Promise<void> {
  if (!(await deleteSource(db, accountId, id))) throw notFound('source');
}
