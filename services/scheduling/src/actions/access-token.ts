import type { Parts } from '../parts.ts';
import type { Tokens } from '../platform/tiktok.ts';
import {
  findTokens,
  lockTokens,
  markNeedsReauth,
  type SealedTokens,
  type StoredTokens,
  saveTokens,
} from '../queries/platform-accounts.ts';

export type TokenAnswer =
  | { kind: 'token'; token: string }
  | { kind: 'account'; code: 'account_not_connected' | 'account_needs_reauth' }
  /** The platform could not say; the account stays as it is. */
  | { kind: 'unavailable'; reason: string };

// A token that ends within this time is renewed first, so that it outlives the call it is used for.
const marginMs = 120_000;

type TokenParts = Pick<Parts, 'db' | 'tiktok' | 'box' | 'now' | 'log'>;

/**
 * A valid access token of the platform account. One process refreshes at a time, under the account's row lock, and
 * the new pair is committed before it is used: the old one is dead by then.
 * @param rejected a token that the platform just refused; unless another took its place, a refresh follows.
 * @param known what was read of the account a moment ago, if it was.
 */
export async function getAccessToken(
  parts: TokenParts,
  id: string,
  rejected?: string,
  known?: StoredTokens,
): Promise<TokenAnswer> {
  const stored = known ?? (await findTokens(parts.db, id));
  return usable(parts, id, stored, rejected) ?? (await refresh(parts, id, rejected));
}

/** Refreshes whatever the tokens' age: to learn ahead of a post whether the grant still stands. */
export async function renewTokens(parts: TokenParts, id: string): Promise<TokenAnswer> {
  const stored = await findTokens(parts.db, id);
  const current = stored?.accessSealed ? parts.box.open(stored.accessSealed, id) : undefined;
  return usable(parts, id, stored, current) ?? (await refresh(parts, id, current));
}

export function sealTokens(box: Parts['box'], id: string, tokens: Tokens, now: Date): SealedTokens {
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  return {
    accessSealed: box.seal(tokens.accessToken, id),
    accessExpiresAt: after(tokens.accessSeconds),
    refreshSealed: box.seal(tokens.refreshToken, id),
    refreshExpiresAt: after(tokens.refreshSeconds),
  };
}

function usable(
  { box, now }: TokenParts,
  id: string,
  stored: StoredTokens | null,
  rejected: string | undefined,
): TokenAnswer | null {
  if (!stored || stored.status === 'disconnected') return { kind: 'account', code: 'account_not_connected' };
  if (stored.status === 'needs_reauth') return { kind: 'account', code: 'account_needs_reauth' };
  if (!stored.accessSealed || !stored.accessExpiresAt) return null;
  if (stored.accessExpiresAt.getTime() - now().getTime() < marginMs) return null;
  const token = box.open(stored.accessSealed, id);
  return token === rejected ? null : { kind: 'token', token };
}

function refresh(parts: TokenParts, id: string, rejected: string | undefined): Promise<TokenAnswer> {
  const { db, tiktok, box, now, log } = parts;
  return db.transaction(async tx => {
    // Read again under the lock: whoever held it before may have refreshed, or found the grant dead.
    const stored = await lockTokens(tx, id);
    const current = usable(parts, id, stored, rejected);
    if (current) return current;
    if (!stored?.refreshSealed) return { kind: 'account', code: 'account_needs_reauth' };
    const answer = await tiktok.refreshTokens(box.open(stored.refreshSealed, id));
    if (answer.kind === 'ok') {
      await saveTokens(tx, id, sealTokens(box, id, answer.value, now()));
      return { kind: 'token', token: answer.value.accessToken };
    }
    if (answer.kind === 'refused' && answer.code === 'invalid_grant') {
      await markNeedsReauth(tx, id, now());
      return { kind: 'account', code: 'account_needs_reauth' };
    }
    if (answer.kind === 'refused')
      log.error({ code: answer.code, logId: answer.logId }, 'a token refresh failed');
    return { kind: 'unavailable', reason: answer.kind === 'refused' ? answer.code : answer.reason };
  });
}
