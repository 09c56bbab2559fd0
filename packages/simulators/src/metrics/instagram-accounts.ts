import type { Journal } from '../state/journal.ts';

/** A professional account with its limits and state. */
export type InstagramAccount = {
  username: string;
  /** The owner revoked the permission or changed the password: every token is refused. */
  revoked: boolean;
  /** Its tokens have the permission for insights. */
  hasInsights: boolean;
  /** Lifetime of a token from its issue. */
  tokenSeconds: number;
  /** Calls per rolling 24 h; the real limit is 4,800 times the account's impressions. */
  callsPerDayMax: number;
};

export type TokenState =
  | { kind: 'valid'; username: string; issuedAt: number }
  | { kind: 'expired' | 'revoked'; username: string }
  | { kind: 'unknown' };

export type Usage = { percent: number; isOver: boolean; regainMinutes: number };

export type InstagramAccounts = {
  find(username: string): InstagramAccount;
  put(account: InstagramAccount): void;
  read(token: string, nowMs: number): TokenState;
  /** A new long-lived token; the old one stays valid until it expires. */
  issue(username: string, nowMs: number): string;
  /** Counts one call. */
  use(username: string, nowMs: number): Usage;
};

type Token = { username: string; issuedAt: number };

const prefix = 'simulator-token-';
const hourMs = 3_600_000;
/** A token not issued here came from elsewhere, long enough ago to be refreshed. */
const bareTokenAgeMs = 25 * hourMs;
export const minRefreshAgeMs = 24 * hourMs;

/** Tokens are `simulator-token-<username>`; a refresh appends `~<number>`. */
export function createInstagramAccounts(journal: Journal): InstagramAccounts {
  const accounts = journal.table<InstagramAccount>('instagramAccounts');
  const tokens = journal.table<Token>('instagramTokens');
  const calls = journal.table<Record<string, number>>('instagramCalls');
  const find = (username: string): InstagramAccount => ({
    ...{ username, revoked: false, hasInsights: true, tokenSeconds: 5_183_944, callsPerDayMax: 48_000 },
    ...accounts.get(username),
  });

  function known(token: string, nowMs: number): Token | null {
    const stored = tokens.get(token);
    if (stored !== undefined) return stored;
    const username = token.startsWith(prefix) ? token.slice(prefix.length) : '';
    if (!/^[\w.]{1,64}$/.test(username)) return null;
    const bare = { username, issuedAt: nowMs - bareTokenAgeMs };
    tokens.put(token, bare);
    return bare;
  }

  return {
    find,
    put: account => accounts.put(account.username, account),
    read: (token, nowMs) => {
      const found = known(token, nowMs);
      if (found === null) return { kind: 'unknown' };
      const { username, issuedAt } = found;
      const account = find(username);
      if (account.revoked) return { kind: 'revoked', username };
      if (issuedAt + account.tokenSeconds * 1_000 <= nowMs) return { kind: 'expired', username };
      return { kind: 'valid', username, issuedAt };
    },
    issue: (username, nowMs) => {
      const count = tokens.values().filter(token => token.username === username).length;
      const token = `${prefix}${username}~${count + 1}`;
      tokens.put(token, { username, issuedAt: nowMs });
      return token;
    },
    use: (username, nowMs) => {
      const hour = Math.floor(nowMs / hourMs);
      const inWindow = Object.entries(calls.get(username) ?? {}).filter(([at]) => Number(at) > hour - 24);
      const before = inWindow.reduce((sum, [, count]) => sum + count, 0);
      const most = find(username).callsPerDayMax;
      const isOver = before >= most;
      const hours: Record<string, number> = Object.fromEntries(inWindow);
      if (!isOver) hours[hour] = (hours[hour] ?? 0) + 1;
      calls.put(username, hours);
      const oldest = Math.min(hour, ...Object.keys(hours).map(Number));
      const regainMinutes = isOver ? Math.ceil(((oldest + 24) * hourMs - nowMs) / 60_000) : 0;
      const used = before + (isOver ? 0 : 1);
      return { percent: most === 0 ? 100 : Math.floor((used * 100) / most), isOver, regainMinutes };
    },
  };
}
