/** Codes and tokens: opaque texts of 32 random bytes, of which only SHA-256 is stored. */
import { hash } from 'node:crypto';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';

export const codeLifetimeMs = 60_000;
export const accessLifetimeMs = hourMs;
/** A grant that is not refreshed for so long ends. */
export const grantLifetimeMs = 30 * dayMs;
/** A used code is remembered this long. */
export const codeMemoryMs = dayMs;
/** Of a registered client, before and after somebody granted it something. */
export const unusedClientMs = dayMs;
export const usedClientMs = 90 * dayMs;

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

/** The part that stays for a grant and the part that each refresh replaces; null for another form. */
export function partsOfRefreshToken(text: string): { family: string; current: string } | null {
  const [, family, current] = /^mcp_refresh_([\w-]{43})\.([\w-]{43})$/.exec(text) ?? [];
  return family === undefined || current === undefined ? null : { family, current };
}

/** A challenge of S256: SHA-256 as base64url. */
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
