import { isClientError } from '../platform/failures.rules.ts';
import { addTimelineOfWaiting, claimForUpkeep, returnForUpkeep } from './queries-renewal.ts';
import { renewTokens, type TokenAnswer, type TokenDeps } from './tokens.ts';

const atOnce = 8;

/**
 * Renews grants ahead of their posts, so that a dead one shows as `needs_reauth` while there is time to
 * reconnect. A round has few: a check takes up to 24 s while the token endpoint hangs, 45 s more while the
 * database is away, and a round of 120 s fails `/livez`.
 * @returns false if nothing is left, or if the platform gave no answer or refused our client: the others
 * wait.
 */
export async function renewGrants(deps: TokenDeps): Promise<boolean> {
  const ids = await claimForUpkeep(deps.db, deps.now(), atOnce);
  const goesOn = await Promise.all(ids.map(id => renewGrant(deps, id)));
  return goesOn.includes(true);
}

/** @returns false if the next account would fare no better. */
async function renewGrant(deps: TokenDeps, id: string): Promise<boolean> {
  const { db, now, log } = deps;
  try {
    const answer = await renewTokens(deps, id);
    log.info({ account: id, answer: answer.kind }, 'a grant was checked ahead of its posts');
    if (answer.kind === 'unavailable') {
      await returnForUpkeep(db, id, now());
      return answer.hasNoKey === true;
    }
    const line = lineOf(answer);
    if (line) await db.transaction(tx => addTimelineOfWaiting({ tx, now: now() }, id, line));
    return answer.kind !== 'not_renewed' || !isClientError(answer.code);
  } catch (error) {
    log.warn({ err: error, account: id }, 'a grant could not be checked');
    return true;
  }
}

/** The line goes to the timeline of each schedule that waits for the account. */
function lineOf(answer: TokenAnswer): { what: string; detail: string } | null {
  if (answer.kind === 'not_renewed') {
    const { code, carrier } = answer;
    const repair = isClientError(code)
      ? `The operator must check the ${carrier.name} app of this installation.`
      : 'Connect it again before the post is due.';
    const detail = `${carrier.name} refused to renew the access to this account (${code}). ${repair}`;
    return { what: 'account_not_renewed', detail };
  }
  if (answer.kind !== 'account' || answer.code !== 'account_needs_reauth') return null;
  const detail = 'The account needs a new sign-in. Connect it again before the post is due.';
  return { what: 'account_needs_reauth', detail };
}
