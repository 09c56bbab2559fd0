import type { Answer } from '../adapters/tiktok-answers.ts';
import type { SchedulingDeps } from '../deps.ts';
import { getAccessToken, type TokenAnswer } from './get-access-token.ts';

export type AccountAnswer<T> = Answer<T> | Extract<TokenAnswer, { kind: 'account' }>;

/**
 * Makes a call that may be repeated (never content/init) with the account's token; a refused token is
 * refreshed once. A refusal that stays means that the person must sign in again.
 */
export async function askAsAccount<T>(
  deps: SchedulingDeps,
  id: string,
  call: (token: string) => Promise<Answer<T>>,
): Promise<AccountAnswer<T>> {
  let rejected: string | undefined;
  for (;;) {
    const token = await getAccessToken(deps, id, rejected);
    if (token.kind === 'unavailable') return { kind: 'unreachable', reason: token.reason };
    if (token.kind === 'account') return token;
    const answer = await call(token.token);
    if (answer.kind !== 'refused') return answer;
    if (answer.code === 'scope_not_authorized') return { kind: 'account', code: 'account_needs_reauth' };
    if (answer.code !== 'access_token_invalid') return answer;
    if (rejected !== undefined) return { kind: 'account', code: 'account_needs_reauth' };
    rejected = token.token;
  }
}
