/** Codes and tokens: opaque texts of 32 random bytes, of which only SHA-256 is stored. */
import { createHmac, hash } from 'node:crypto';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';

export const codeLifetimeMs = 60_000;
export const accessLifetimeMs = hourMs;
/**
 * A refresh that is sent again within this time gets the same tokens: its first answer may have been lost.
 */
export const repeatMs = 60_000;
export const grantLifetimeMs = 30 * dayMs;
/** A used code is remembered this long. */
export const codeMemoryMs = dayMs;

export function makeCode(random: Buffer): string {
  return `mcp_code_${textOf(random)}`;
}

export function makeAccessToken(random: Buffer): string {
  return `mcp_access_${textOf(random)}`;
}

export function isAccessToken(text: string): boolean {
  return /^mcp_access_[\w-]{43}$/.test(text);
}

/** @param family the part that stays: random bytes for a new grant, else that of the token before */
export function makeRefreshToken(family: Buffer | string, random: Buffer): string {
  return `mcp_refresh_${typeof family === 'string' ? family : textOf(family)}.${textOf(random)}`;
}

export type RefreshParts = {
  /** Stays for a grant. */
  family: string;
  /** Each refresh replaces it. */
  current: string;
};

export function partsOfRefreshToken(text: string): RefreshParts | null {
  const [, family, current] = /^mcp_refresh_([\w-]{43})\.([\w-]{43})$/.exec(text) ?? [];
  return family === undefined || current === undefined ? null : { family, current };
}

/**
 * The random bytes of the tokens that replace a refresh token. Only a holder of that token can derive them
 * again, and only with the salt.
 */
export function randomOfNext(current: string, salt: Buffer): { access: Buffer; refresh: Buffer } {
  const make = (name: string): Buffer => createHmac('sha256', current).update(salt).update(name).digest();
  return { access: make('access'), refresh: make('refresh') };
}

export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** @param verifier as sent, RFC 7636 section 4.1 */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return /^[\w.~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === challenge;
}

function textOf(random: Buffer): string {
  return random.toString('base64url');
}
