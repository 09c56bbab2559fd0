/** The session of a browser: a cookie that no script reads and no other site sends. */
import { ApiError } from '@hookline/shared/contracts';
import type { FastifyRequest } from 'fastify';
import { isSessionToken } from '../rules/session-token.ts';

const name = 'hookline_session';
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The token of the cookie; null when there is none, or not one of ours. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return isSessionToken(value) ? value : null;
  }
  return null;
}

/**
 * The value of `Set-Cookie`.
 * @param session null ends the cookie
 */
export function writeSessionCookie(
  session: { token: string; expiresAt: string } | null,
  publicUrl: string,
): string {
  const expires = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${session?.token ?? ''}; Path=/console; ${expires}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * Refuses what a page of another site may have caused, also without a cookie: sign-in there would put the
 * victim into the attacker's session.
 * @throws ApiError `missing_scope`
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
