import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { SchedulingDeps } from '../deps.ts';
import { saveCreatorInfo } from '../queries/platform-accounts.ts';
import type { PlatformAccount } from '../records/account.ts';
import { type AccountAnswer, askAsAccount } from './ask-as-account.ts';

export type CreatorSettings = { privacyLevels: PrivacyLevel[]; commentDisabled: boolean };

/** What the account allows now. Needs a grant to publish. @param maxAgeMs 0: always asked (D-44). */
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
  const answer = await askAsAccount(deps, account.id, token => deps.tiktok.getCreatorInfo(token));
  if (answer.kind !== 'ok') return answer;
  await saveCreatorInfo(deps.db, account.id, answer.value, now);
  return {
    kind: 'ok',
    value: { privacyLevels: answer.value.privacyLevels, commentDisabled: answer.value.commentDisabled },
  };
}
