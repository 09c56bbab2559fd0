import { addTimelineOfWaiting, claimForUpkeep } from '../queries/account-upkeep.ts';
import { renewTokens, type TokenDeps } from './get-access-token.ts';

const batchMax = 20;

/**
 * Renews grants that expire or are needed soon, so that a dead one shows as `needs_reauth` while there is
 * time to reconnect, and not at the minute of the post.
 * @returns true if there may be more.
 */
export async function renewGrants(deps: TokenDeps): Promise<boolean> {
  const { db, now, log } = deps;
  const ids = await claimForUpkeep(db, now(), batchMax);
  for (const id of ids) {
    try {
      const answer = await renewTokens(deps, id);
      if (answer.kind === 'account' && answer.code === 'account_needs_reauth') {
        const detail =
          'TikTok wants a new sign-in for this account. Connect it again before the post is due.';
        await db.transaction(tx => addTimelineOfWaiting(tx, id, now(), 'account_needs_reauth', detail));
      }
      log.info({ account: id, answer: answer.kind }, 'a grant was checked ahead of its posts');
    } catch (error) {
      log.warn({ err: error, account: id }, 'a grant could not be checked');
    }
  }
  return ids.length === batchMax;
}
