import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { Parts } from '../parts.ts';
import { type PlatformAccount, saveCreatorInfo } from '../queries/platform-accounts.ts';
import { type AccountAnswer, askAsAccount } from './ask-as-account.ts';

export type CreatorSettings = { privacyLevels: PrivacyLevel[]; commentDisabled: boolean };

/** What the account allows now. Needs a grant to publish. @param maxAgeMs 0: always asked (D-44). */
export async function getCreatorSettings(
  parts: Parts,
  account: PlatformAccount,
  maxAgeMs: number,
): Promise<AccountAnswer<CreatorSettings>> {
  const now = parts.now();
  const { checkedAt, privacyLevels, commentDisabled } = account;
  if (checkedAt && now.getTime() - checkedAt.getTime() < maxAgeMs) {
    return { kind: 'ok', value: { privacyLevels, commentDisabled } };
  }
  const answer = await askAsAccount(parts, account.id, token => parts.tiktok.getCreatorInfo(token));
  if (answer.kind !== 'ok') return answer;
  await saveCreatorInfo(parts.db, account.id, answer.value, now);
  return {
    kind: 'ok',
    value: { privacyLevels: answer.value.privacyLevels, commentDisabled: answer.value.commentDisabled },
  };
}
