import { addTimelineOfWaiting, claimForUpkeep, markKept } from '../queries/account-upkeep.ts';
import { isClientError } from '../rules/failures.ts';
import { renewTokens, type TokenAnswer, type TokenDeps } from './get-access-token.ts';

// Longer than one check takes. Shorter than the pause between two polls (5 min), so that an account whose
// check found no answer, or whose process died, is checked again at the next poll.
const claimMs = 4 * 60_000;

/**
 * Renews the grant of one account that expires or is needed soon, so that a dead one shows as `needs_reauth`
 * while there is time to reconnect, and not at the minute of the post. One per round, because a check takes
 * up to 24 s while the token endpoint hangs, 45 s more while the database is away, and a round of 120 s fails
 * `/livez`.
 *
 * A refusal that does not end the grant is written on the waiting schedules, and the account is left alone as
 * long as one that was renewed.
 * @returns true if there may be more. False also when the platform gave no answer, or refused our client: the
 * others wait for the next poll.
 */
export async function renewGrants(deps: TokenDeps): Promise<boolean> {
  const { db, now, log } = deps;
  const id = await claimForUpkeep(db, now(), claimMs);
  if (id === null) return false;
  try {
    const answer = await renewTokens(deps, id);
    log.info({ account: id, answer: answer.kind }, 'a grant was checked ahead of its posts');
    if (answer.kind === 'unavailable') return answer.isUnopened === true;
    const line = lineOf(answer);
    await db.transaction(async tx => {
      await markKept(tx, id, now());
      if (line) await addTimelineOfWaiting(tx, id, now(), line.what, line.detail);
    });
    if (answer.kind === 'not_renewed' && isClientError(answer.code)) return false;
  } catch (error) {
    log.warn({ err: error, account: id }, 'a grant could not be checked');
  }
  return true;
}

/** What the timelines of the waiting schedules say; null: nothing. */
function lineOf(answer: TokenAnswer): { what: string; detail: string } | null {
  if (answer.kind === 'not_renewed') {
    const repair = isClientError(answer.code)
      ? 'The operator must check the TikTok app of this installation.'
      : 'Connect it again before the post is due.';
    const detail = `TikTok refused to renew the access to this account (${answer.code}). ${repair}`;
    return { what: 'account_not_renewed', detail };
  }
  if (answer.kind !== 'account' || answer.code !== 'account_needs_reauth') return null;
  const detail = 'TikTok wants a new sign-in for this account. Connect it again before the post is due.';
  return { what: 'account_needs_reauth', detail };
}
