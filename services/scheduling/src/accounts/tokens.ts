import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { appendEvent } from '@hookline/shared/bus';
import { accountNeedsReauth } from '@hookline/shared/events';
import { isConnectionError, isPassingFault } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import type { SchedulingDeps } from '../deps.ts';
import { type Carrier, carrierOf, type Tokens } from '../platform/carrier.rules.ts';
import { findTokens, type SealedTokens, type StoredTokens } from './queries.ts';
import {
  endRefreshLease,
  markNeedsReauth,
  type RefreshLease,
  saveRefreshed,
  takeRefreshLease,
} from './queries-tokens.ts';
import { type PlatformAccount, toAccount } from './record.ts';

export type TokenAnswer =
  | { kind: 'token'; token: string; carrier: Carrier }
  | { kind: 'account'; code: 'account_not_connected' | 'account_needs_reauth' }
  /** The grant may be valid, and our client at fault: the account stays as it is. */
  | { kind: 'not_renewed'; code: string; carrier: Carrier }
  /** The account stays as it is. `hasNoTurn`: no turn came in time, which says nothing about the platform. */
  | { kind: 'unavailable'; reason: string; hasNoKey?: true; hasNoTurn?: true };

// A token must outlive the call that it is used for.
const marginMs = 120_000;
// A lease outlives the wait for a turn (2 s) and the call (10 s). A dead process's lease runs out.
const leaseMs = 15_000;
// The call of another process has ended after this time, and a request that waits here has 15 s.
const othersMaxMs = 11_000;
// Saving outlasts a restart of Postgres, and a query to a host that vanished, which fails after 15 s.
const saveWithinMs = 30_000;

export type TokenDeps = Pick<SchedulingDeps, 'db' | 'carriers' | 'secretBox' | 'now' | 'log'>;

/**
 * One process refreshes at a time, under a lease on the account's row, and the new pair is committed before
 * it is used: the old one is no longer valid.
 * @param rejected a token that the platform just refused; it is refreshed unless another has replaced it.
 */
export async function getAccessToken(
  deps: TokenDeps,
  id: string,
  { rejected, tokens }: { rejected?: string | undefined; tokens?: StoredTokens | undefined } = {},
): Promise<TokenAnswer> {
  const stored = tokens ?? (await findTokens(deps.db, id));
  return usable(deps, id, stored, rejected) ?? (await refresh(deps, id, rejected));
}

/** Refreshes regardless of the tokens' age, to find out before a post if the grant is still valid. */
export async function renewTokens(deps: TokenDeps, id: string): Promise<TokenAnswer> {
  const stored = await findTokens(deps.db, id);
  const current = (stored?.accessSealed && deps.secretBox.tryOpen(stored.accessSealed, id)) || undefined;
  return usable(deps, id, stored, current) ?? (await refresh(deps, id, current));
}

export function sealTokens(
  box: SchedulingDeps['secretBox'],
  id: string,
  tokens: Tokens,
  now: Date,
): SealedTokens {
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  return {
    accessSealed: box.seal(tokens.accessToken, id),
    accessExpiresAt: after(tokens.accessSeconds),
    refreshSealed: box.seal(tokens.refreshToken, id),
    refreshExpiresAt: after(tokens.refreshSeconds),
  };
}

/** A process may have been started with the wrong keys: posts wait, as for a platform that is away. */
function unopened({ log }: Pick<TokenDeps, 'log'>, id: string): TokenAnswer {
  const reason = 'no key opens the tokens of the account';
  log.error({ account: id }, reason);
  return { kind: 'unavailable', reason, hasNoKey: true };
}

function usable(
  deps: Omit<TokenDeps, 'db'>,
  id: string,
  stored: StoredTokens | null,
  rejected: string | undefined,
): TokenAnswer | null {
  if (!stored || stored.status === 'disconnected') return { kind: 'account', code: 'account_not_connected' };
  if (stored.status === 'needs_reauth') return { kind: 'account', code: 'account_needs_reauth' };
  if (!stored.accessSealed || !stored.accessExpiresAt) return null;
  if (stored.accessExpiresAt.getTime() - deps.now().getTime() < marginMs) return null;
  const token = deps.secretBox.tryOpen(stored.accessSealed, id);
  if (token === null) return unopened(deps, id);
  return token === rejected ? null : { kind: 'token', token, carrier: carrierOf(deps, stored) };
}

/** No connection or lock is held during the call, so a token endpoint that hangs blocks nothing else. */
async function refresh(deps: TokenDeps, id: string, rejected: string | undefined): Promise<TokenAnswer> {
  const holder = randomUUID();
  const until = performance.now() + othersMaxMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const leased = await takeRefreshLease(deps.db, { id, holder }, leaseMs);
    // The previous holder may have refreshed, or found the grant dead.
    const current = usable(deps, id, leased ?? (await findTokens(deps.db, id)), rejected);
    if (current) {
      if (leased) await endRefreshLease(deps.db, id, holder);
      return current;
    }
    if (leased) return await ask(deps, { id, holder }, leased);
    if (performance.now() > until)
      return { kind: 'unavailable', reason: 'another token refresh takes too long', hasNoTurn: true };
    await delay(pauseMs);
  }
}

/** The result is written only while the lease holds, or while the token that was sent is still stored. */
async function ask(
  deps: TokenDeps,
  { id, holder }: Pick<RefreshLease, 'id' | 'holder'>,
  { carrier: name, refreshSealed }: StoredTokens,
): Promise<TokenAnswer> {
  const { db, secretBox, now, log } = deps;
  if (!refreshSealed) {
    await endRefreshLease(db, id, holder);
    return { kind: 'account', code: 'account_needs_reauth' };
  }
  const refreshToken = secretBox.tryOpen(refreshSealed, id);
  if (refreshToken === null) {
    await endRefreshLease(db, id, holder);
    return unopened(deps, id);
  }
  const lease = { id, holder, refreshSealed };
  const carrier = carrierOf(deps, { carrier: name });
  const answer = await carrier.refreshTokens(refreshToken);
  if (answer.kind === 'ok') {
    const at = now();
    if (await saveWithRetries(db, lease, sealTokens(secretBox, id, answer.value, at), at))
      return { kind: 'token', token: answer.value.accessToken, carrier };
    return await storedAnswer(deps, id);
  }
  if (answer.kind === 'refused' && answer.code === 'invalid_grant') {
    if (await endGrant(deps, lease)) return { kind: 'account', code: 'account_needs_reauth' };
    return await storedAnswer(deps, id);
  }
  await endRefreshLease(db, id, holder);
  if (answer.kind === 'busy')
    return { kind: 'unavailable', reason: 'other token refreshes take too long', hasNoTurn: true };
  if (answer.kind !== 'refused') return { kind: 'unavailable', reason: answer.reason };
  const { code, message, logId } = answer;
  log.error({ account: id, code, message, logId }, `${carrier.name} refused to renew a grant`);
  return { kind: 'not_renewed', code, carrier };
}

function endGrant({ db, now }: TokenDeps, lease: RefreshLease): Promise<boolean> {
  return db.transaction(async tx => {
    const at = now();
    const account = await markNeedsReauth(tx, lease, at);
    if (account) await tellNeedsReauth({ tx, now: at }, account);
    return account !== null;
  });
}

/**
 * Repeats the save while the database is away: the platform no longer accepts the old pair, and the new one is
 * nowhere else. A repeat after a save whose answer was lost changes nothing.
 */
async function saveWithRetries(
  db: TokenDeps['db'],
  lease: RefreshLease,
  tokens: SealedTokens,
  at: Date,
): Promise<boolean> {
  const until = performance.now() + saveWithinMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await saveRefreshed(db, lease, tokens, at);
    } catch (error) {
      const mayPass = isConnectionError(error) || isPassingFault(error);
      if (!mayPass || performance.now() > until) throw error;
      await delay(pauseMs);
    }
  }
}

/** The account changed during the call: the stored tokens count. */
async function storedAnswer(deps: TokenDeps, id: string): Promise<TokenAnswer> {
  const stored = usable(deps, id, await findTokens(deps.db, id), undefined);
  return stored ?? { kind: 'unavailable', reason: 'the account changed during a token refresh' };
}

/** The platform, or the creator there, ended the grant of an account that was connected. */
export async function tellNeedsReauth({ tx, now }: WriteContext, account: PlatformAccount): Promise<void> {
  const { id: subject, accountId } = account;
  const data = { account: toAccount(account) };
  await appendEvent(tx, accountNeedsReauth, { accountId, subject, source: 'scheduling', at: now, data });
}
