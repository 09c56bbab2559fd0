import type { PushKind } from '@hookline/shared/contracts/push';
import { minuteMs } from '@hookline/shared/kernel/durations';
import { consoleIn } from '../standing/workspace.rules.ts';

/** What the service worker of the console shows. */
export type PushText = { title: string; body: string; url: string; tag: string };

/**
 * `count` slideshows or posts wait; `id` is the schedule of one of them; `isEntered`: the browser is in the
 * workspace. A notification takes the place of the one with its tag: the same news of another workspace has another.
 */
export function pushText(
  kind: PushKind,
  {
    accountId,
    workspace,
    isEntered,
    count,
    id,
  }: { accountId: string; workspace: string; isEntered: boolean; count: number; id?: string | undefined },
): PushText {
  const tag = `${kind} ${accountId}`;
  const root = isEntered ? '/console' : consoleIn('', accountId);
  const body = [...workspace].slice(0, 60).join('');
  switch (kind) {
    case 'decks_waiting': {
      const title = count === 1 ? '1 slideshow waits' : `${count} slideshows wait`;
      return { title: `${title} for your approval`, body, url: `${root}/approve`, tag };
    }
    case 'post_due':
      return count === 1
        ? { title: 'A post is due on your phone', body, url: `${root}/due/${id}`, tag }
        : { title: `${count} posts are due on your phone`, body, url: `${root}/calendar`, tag };
    case 'post_failed':
      return { title: 'A post failed', body, url: `${root}/calendar`, tag };
    case 'link_decided':
      return { title: 'Somebody decided by your link', body, url: `${root}/posts`, tag };
    case 'account_reconnect':
      return { title: 'An account must be connected again', body, url: `${root}/accounts`, tag };
  }
}

/** Events within this time, in ms, become one notification. Posts scheduled for one time fall due within a second. */
export function gatherMsOf(kind: PushKind): number {
  return kind === 'post_due' ? 2_000 : minuteMs;
}

const attemptsMax = 5;
const waitMaxMs = 60 * minuteMs;

/** What an answer of a push service means; null for no answer. */
export function outcomeOf(status: number | null): 'sent' | 'gone' | 'refused' | 'again' {
  if (status === null || status === 429 || status >= 500) return 'again';
  if (status === 404 || status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'sent' : 'refused';
}

/** 1 min, then four times as long each time, or as long as the push service asks for, an hour at most; null gives up. */
export function waitAfterPush(attempts: number, retryAfterSeconds: number): number | null {
  if (attempts >= attemptsMax) return null;
  return Math.min(Math.max(minuteMs * 4 ** (attempts - 1), retryAfterSeconds * 1_000), waitMaxMs);
}
