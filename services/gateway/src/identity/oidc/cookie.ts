/**
 * The sign-in that a browser began at the issuer, sealed in a cookie: any gateway finishes it, and
 * nothing is stored for those that nobody finishes. `SameSite=Lax`, because the issuer sends the
 * browser back from another site.
 */
import { createSecretBox, type NamedKey } from '@hookline/shared/kernel';
import { deriveOwnKeys } from '../keys/credential.ts';
import { attemptLifetimeMs } from './journey.rules.ts';
import type { OidcAttempt } from './record.ts';

const name = 'hookline_oidc';
const lengthMax = 3_500;

export type OidcCookies = {
  /** @param attempt null ends the cookie */
  write(attempt: OidcAttempt | null): string;
  /** The unexpired attempt of a request; null when there is none, or not one of ours. */
  read(header: string | undefined): OidcAttempt | null;
};

/** @param ring the signing keys; those of the gateway seal, whichever gateway of the installation it is */
export function createOidcCookies(
  ring: readonly NamedKey[],
  { publicUrl, nowMs }: { publicUrl: string; nowMs: () => number },
): OidcCookies {
  const box = createSecretBox(deriveOwnKeys(ring, 'oidc attempt'));
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return {
    write(attempt) {
      const sealed = attempt === null ? '' : encodeURIComponent(box.seal(JSON.stringify(attempt), name));
      const seconds = attempt === null ? 0 : attemptLifetimeMs / 1_000;
      return `${name}=${sealed}; Path=/console/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
    },
    read(header) {
      const pairs = header?.split(';').map(pair => pair.trim()) ?? [];
      const value = pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      if (!value || value.length > lengthMax || !/^[\w.%-]+$/.test(value)) return null;
      const text = box.tryOpen(decode(value), name);
      const attempt = text === null ? null : (JSON.parse(text) as OidcAttempt);
      return attempt && attempt.expiresAtMs > nowMs() ? attempt : null;
    },
  };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
