/** The configured OIDC issuer: finds its key set by discovery and verifies its JWTs. */
import type { Logger } from '@hookline/shared/kernel';
// Types only: the library is loaded by the first token.
import type * as jose from 'jose';
import {
  createIssuerGuard,
  fetchTimeoutMs,
  IssuerUnavailable,
  issuerAway,
  keepDiscovered,
  readBounded,
} from './issuer-access.ts';

/** Asymmetric signatures only: with a shared secret, anyone who can verify a token can also sign one. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Logout and client-assertion tokens of the same issuer have other types and are refused. */
const tokenTypes = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

export const clockToleranceSeconds = 5;

export type OidcClaims = {
  issuer: string;
  subject: string;
  /** Null unless the issuer says that it is verified. */
  email: string | null;
  name: string | null;
  /** When the person signed in at the issuer, as far as the token says. */
  signedInAt: Date | null;
  expiresAt: Date;
};

export type OidcIssuer = {
  /**
   * The claims of an unexpired token that the issuer signed for our audience; null for any other.
   * @throws ApiError `service_unavailable` when the issuer's keys cannot be fetched (3 s at most per request)
   */
  verify(token: string): Promise<OidcClaims | null>;
};

export type OidcIssuerOptions = {
  /** Must equal the `iss` claim of the tokens. */
  issuer: string;
  audience: string;
  log: Logger;
  now: () => Date;
  /** Minimum time between two fetches of the key set caused by unknown keys. */
  keyCooldownMs?: number;
};

type KeySet = { url: string; find: ReturnType<typeof jose.createRemoteJWKSet> };

/**
 * Fetches the discovery document and the keys with the first token, so the gateway starts while the issuer is
 * down.
 */
export function createOidcIssuer({
  issuer,
  audience,
  log,
  now,
  keyCooldownMs = 5_000,
}: OidcIssuerOptions): OidcIssuer {
  const guard = createIssuerGuard(issuer, log);
  const ask = (url: string): Promise<unknown> => guard(() => fetchJson(url));

  const keySet = keepDiscovered<KeySet>(async last => {
    const url = keySetUrl(await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`), issuer);
    // Keep the key set and its cache while its address does not change.
    return last?.url === url ? last : { url, find: openKeySet(await import('jose'), url) };
  });

  function openKeySet(library: typeof jose, url: string): KeySet['find'] {
    return library.createRemoteJWKSet(new URL(url), {
      timeoutDuration: fetchTimeoutMs,
      cooldownDuration: keyCooldownMs,
      cacheMaxAge: 600_000,
      [library.customFetch]: async () => Response.json(await ask(url)),
    });
  }

  return {
    async verify(token) {
      const library = await import('jose');
      try {
        const { payload, protectedHeader } = await library.jwtVerify(
          token,
          async (header, jws) => (await keySet()).find(header, jws),
          {
            algorithms,
            issuer,
            audience,
            requiredClaims: ['exp', 'sub'],
            clockTolerance: clockToleranceSeconds,
            currentDate: now(),
          },
        );
        return tokenTypes.includes(protectedHeader.typ?.toLowerCase()) ? claimsOf(payload, issuer) : null;
      } catch (error) {
        if (isIssuersFault(error, library)) throw issuerAway(error);
        if (error instanceof library.errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

function isIssuersFault(error: unknown, { errors }: typeof jose): boolean {
  return (
    error instanceof IssuerUnavailable ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid
  );
}

/** The document must name the issuer, and must not lead from https to http (OIDC discovery, section 4.3). */
function keySetUrl(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) throw new IssuerUnavailable('its discovery document names another issuer');
  const protocols = issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (typeof url !== 'string' || !URL.canParse(url) || !protocols.includes(new URL(url).protocol)) {
    throw new IssuerUnavailable('its discovery document has no usable jwks_uri');
  }
  return url;
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(fetchTimeoutMs),
  });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return JSON.parse((await readBounded(response, url)).toString('utf8'));
}

function claimsOf(payload: jose.JWTPayload, issuer: string): OidcClaims | null {
  const { sub, exp, email, email_verified: isVerified, name } = payload;
  if (!isSubject(sub) || exp === undefined) return null;
  return {
    issuer,
    subject: sub,
    email: String(isVerified) === 'true' ? shortText(email, 254) : null,
    name: shortText(name, 200),
    signedInAt: signedInAt(payload),
    expiresAt: new Date(exp * 1000),
  };
}

/** A token that was refreshed has a new `iat`; `auth_time` stays that of the sign-in. */
function signedInAt({ iat, auth_time: authTime }: jose.JWTPayload): Date | null {
  const seconds = [iat, authTime].filter(time => typeof time === 'number' && Number.isFinite(time));
  return seconds.length === 0 ? null : new Date(Math.min(...(seconds as number[])) * 1000);
}

export function isSubject(sub: string | undefined): sub is string {
  return sub !== undefined && sub !== '' && sub.length <= 255 && !sub.includes('\0');
}

/** A display claim, or null if it cannot be stored. */
export function shortText(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > lengthMax) return null;
  return value.isWellFormed() && !value.includes('\0') ? value : null;
}
