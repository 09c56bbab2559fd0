import { initialOf } from '../../rules/account-name.ts';
import { workTexts } from '../../texts/work.ts';
import type { Account } from '../../types.ts';

const words = workTexts.schedule;

/**
 * Whom TikTok shows as the creator; required by its audit. Initials, because its
 * pictures come from another host.
 */
export function Creator({ account }: { account: Account }) {
  return (
    <div className="flex items-center gap-3 rounded-control bg-well p-3">
      <span
        aria-hidden="true"
        className="grid size-11 shrink-0 place-items-center rounded-full bg-deep font-display text-lg font-bold text-on-deep"
      >
        {initialOf(account.displayName)}
      </span>
      <div>
        <p className="text-sm text-soft">{words.postingAs}</p>
        <p className="font-semibold">
          {account.displayName}{' '}
          {account.username && <span className="font-normal text-soft">@{account.username}</span>}
        </p>
        {account.status !== 'connected' && (
          <p className="text-sm font-medium text-float-ink">{words.reconnect}</p>
        )}
      </div>
    </div>
  );
}
