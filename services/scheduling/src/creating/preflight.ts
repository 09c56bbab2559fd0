import { ApiError } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/content';
import { getContentForPosting } from '@hookline/shared/contracts/internal';
import type { QueryOf } from '@hookline/shared/contracts/route';
import type { Caller } from '@hookline/shared/http';
import { findPlatformAccount } from '../accounts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { modeFor } from './check.ts';
import { findPostProblems, type PostProblem } from './find-problems.ts';

/** Lists the problems in the order of D-40. @throws ApiError `not_found` */
export async function preflightContent(
  deps: SchedulingDeps,
  caller: Caller,
  { id, ...query }: { id: string } & QueryOf<typeof contracts.preflightContent>,
) {
  const { content } = await deps.peers.call(getContentForPosting, { body: {}, params: { id }, caller });
  const account = query.tiktokAccountId
    ? await findPlatformAccount(deps.db, caller.accountId, query.tiktokAccountId)
    : null;
  const problems: PostProblem[] = [];
  if (query.tiktokAccountId && !account) {
    problems.push({ error: new ApiError('account_not_found'), slide: null, measured: null, limit: null });
  }
  const { privacyLevel } = query;
  const mode = account ? modeFor(account, query.mode) : (query.mode ?? 'draft');
  const check = { content, account, mode, privacyLevel, isImmediate: false, at: deps.now() };
  for await (const found of findPostProblems(deps, check)) problems.push(found);
  return {
    postable: problems.length === 0,
    problems: problems.map(({ error, ...facts }) => ({ code: error.code, ...facts, message: error.message })),
  };
}
