/** The session of a browser: a cookie that no script reads and no other site sends. */
import { ApiError } from '@hookline/shared/contracts';
import type { FastifyRequest } from 'fastify';
import { isSessionToken } from './token.rules.ts';

/** Browsers take a cookie with the prefix from no sibling host and for no other path. */
const nameOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-hookline_session' : 'hookline_session';
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The token of the cookie; null when there is none, when it is not one of ours, and when there are two. */
export function readSessionCookie(header: string | undefined, publicUrl: string): string | null {
  const pairs = header?.split(';').map(pair => pair.trim().split('=', 2)) ?? [];
  const [token = '', ...others] = pairs.filter(([key]) => key === nameOf(publicUrl)).map(pair => pair[1]);
  return others.length === 0 && isSessionToken(token) ? token : null;
}

/** @param session null ends the cookie */
export function writeSessionCookie(
  session: { token: string; expiresAt: string } | null,
  publicUrl: string,
): string {
  const expires = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`;
  const rest = publicUrl.startsWith('https:') ? 'Path=/; Secure' : 'Path=/console';
  return `${nameOf(publicUrl)}=${session?.token ?? ''}; ${expires}; HttpOnly; SameSite=Strict; ${rest}`;
}

/**
 * Refuses what a page of another site may have caused, also without a cookie: sign-in there would put the
 * victim into the attacker's session.
 */
export function refuseCrossSite({ method, headers }: FastifyRequest, publicOrigin: string): void {
  if (safeMethods.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === publicOrigin : site === 'same-origin';
  if (isOwn) return;
  throw new ApiError(
    'missing_scope',
    `Only pages of ${publicOrigin} may do this: send Sec-Fetch-Site: same-origin, as browsers do, or that Origin.`,
  );
}
