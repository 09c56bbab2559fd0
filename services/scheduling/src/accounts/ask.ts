import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { SchedulingDeps } from '../deps.ts';
import type { Answer, Carrier } from '../platform/carrier.rules.ts';
import { saveCreatorInfo } from './queries.ts';
import type { PlatformAccount } from './record.ts';
import { getAccessToken, type TokenAnswer } from './tokens.ts';

export type AccountAnswer<T> = Answer<T> | Extract<TokenAnswer, { kind: 'account' | 'not_renewed' }>;

/** Makes a repeatable call (never one that posts). Refreshes a refused token once, then asks for a sign-in. */
export async function askAsAccount<T>(
  deps: SchedulingDeps,
  id: string,
  call: (carrier: Carrier, token: string) => Promise<Answer<T>>,
): Promise<AccountAnswer<T>> {
  let rejected: string | undefined;
  for (;;) {
    const token = await getAccessToken(deps, id, { rejected });
    if (token.kind === 'unavailable') return { kind: 'unreachable', reason: token.reason };
    if (token.kind !== 'token') return token;
    const answer = await call(token.carrier, token.token);
    if (answer.kind !== 'refused') return answer;
    if (answer.code === 'scope_not_authorized') return { kind: 'account', code: 'account_needs_reauth' };
    if (answer.code !== 'access_token_invalid') return answer;
    if (rejected !== undefined) return { kind: 'account', code: 'account_needs_reauth' };
    rejected = token.token;
  }
}

export type CreatorSettings = { privacyLevels: PrivacyLevel[]; commentDisabled: boolean };

/** The account needs a grant to publish. With `maxAgeMs` 0 the platform is always called (D-44). */
export async function getCreatorSettings(
  deps: SchedulingDeps,
  account: PlatformAccount,
  maxAgeMs: number,
): Promise<AccountAnswer<CreatorSettings>> {
  const now = deps.now();
  const { checkedAt, privacyLevels, commentDisabled } = account;
  if (checkedAt && now.getTime() - checkedAt.getTime() < maxAgeMs) {
    return { kind: 'ok', value: { privacyLevels, commentDisabled } };
  }
  const answer = await askAsAccount(deps, account.id, (carrier, token) => carrier.getCreatorInfo(token));
  if (answer.kind !== 'ok') return answer;
  await saveCreatorInfo(deps.db, account.id, { ...answer.value, checkedAt: now });
  return {
    kind: 'ok',
    value: { privacyLevels: answer.value.privacyLevels, commentDisabled: answer.value.commentDisabled },
  };
}
