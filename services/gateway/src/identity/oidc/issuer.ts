/** The authorization code flow is used, with PKCE, state and nonce. */
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Logger } from '@hookline/shared/kernel';
// Types only: the library is loaded by the first sign-in.
import type * as openid from 'openid-client';
import {
  clockToleranceSeconds,
  createIssuerGuard,
  fetchTimeoutMs,
  IssuerUnavailable,
  issuerAway,
  keepDiscovered,
  readBounded,
} from './issuer-access.ts';
import type { OidcSecrets } from './record.ts';

/** Asymmetric signatures only: with a shared secret, anyone who can verify a token can also sign one. */
const algorithms = [
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

/** Requests to the issuer are made for at most this many callbacks at a time; further ones get 503. */
const inFlightMax = 64;

export type OidcIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
};

export type OidcSignIn = {
  name: string;
  begin(): Promise<{ url: string; secrets: OidcSecrets }>;
  finish(query: string, secrets: OidcSecrets): Promise<OidcIdentity>;
};

export type OidcSignInOptions = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUri: string;
  log: Logger;
};

type Library = typeof openid;
type Found = { library: Library; config: openid.Configuration };

export function createOidcSignIn(options: OidcSignInOptions): OidcSignIn {
  const { issuer, name, redirectUri, log } = options;
  const guard = createIssuerGuard(issuer, log);
  let inFlight = 0;

  /** The requests of the library, with the bounds of ours. */
  function ask(url: string, init: openid.CustomFetchOptions): Promise<Response> {
    return guard(async () => {
      const response = await fetch(url, init as RequestInit);
      const body = await readBounded(response, url);
      const { status, headers } = response;
      if (status >= 500 || status === 429) throw new Error(`${url} answered ${status}`);
      return new Response(body.length === 0 ? null : body, { status, headers });
    });
  }

  const provider = keepDiscovered<Found>(async () => {
    const library = await import('openid-client');
    return { library, config: await configure(library, options, ask) };
  });

  return {
    name,
    async begin() {
      try {
        const { library, config } = await provider();
        const secrets = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          verifier: library.randomPKCECodeVerifier(),
        };
        const url = library.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, secrets };
      } catch (error) {
        throw toApiError(error, log);
      }
    },
    async finish(query, secrets) {
      if (inFlight >= inFlightMax) throw issuerAway(new Error('too many sign-ins in flight'));
      inFlight += 1;
      try {
        return await identify(await provider(), options, query, secrets);
      } catch (error) {
        throw toApiError(error, log);
      } finally {
        inFlight -= 1;
      }
    },
  };
}

async function identify(
  { library, config }: Found,
  { issuer, redirectUri }: OidcSignInOptions,
  query: string,
  secrets: OidcSecrets,
): Promise<OidcIdentity> {
  const tokens = await library.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims || !isSubject(claims.sub)) throw notOfThisSignIn('its ID token has no usable subject');
  // The address and whether it is verified come from one answer, never one from each.
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
  const asks = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined;
  const profile = asks
    ? await library.fetchUserInfo(config, tokens.access_token, claims.sub)
    : (claims as Record<string, unknown>);
  const email = shortText(profile.email, 254);
  return {
    issuer,
    subject: claims.sub,
    email: email !== null && /^[^@\s]+@[^@\s]+$/.test(email) ? email : null,
    // Some issuers send booleans as text.
    isEmailVerified: profile.email_verified === true || String(profile.email_verified) === 'true',
    name: shortText(profile.name ?? claims.name, 200),
  };
}

async function configure(
  library: Library,
  { issuer, clientId, clientSecret }: OidcSignInOptions,
  ask: openid.CustomFetch,
): Promise<openid.Configuration> {
  // The issuer's address was checked: http is on loopback only. From https, the
  // library follows to https alone.
  const execute = issuer.startsWith('https:') ? [] : [library.allowInsecureRequests];
  const timeout = fetchTimeoutMs / 1_000;
  const discovered = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
    [library.customFetch]: ask,
    execute,
    timeout,
  });
  const { supportsPKCE: _helper, ...server } = discovered.serverMetadata();
  if (server.issuer !== issuer) {
    throw new IssuerUnavailable('its discovery document names another issuer');
  }
  const methods = server.token_endpoint_auth_methods_supported;
  const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  const authenticate = isPost ? library.ClientSecretPost : library.ClientSecretBasic;
  const signs = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const config = new library.Configuration(
    { ...server, id_token_signing_alg_values_supported: signs.filter(name => algorithms.includes(name)) },
    clientId,
    { [library.clockTolerance]: clockToleranceSeconds },
    authenticate(clientSecret),
  );
  config[library.customFetch] = ask;
  config.timeout = timeout;
  // The signature of ID tokens is checked, too, not only the connection that they came through.
  for (const enable of [...execute, library.enableNonRepudiationChecks]) enable(config);
  return config;
}

function toApiError(error: unknown, log: Logger): unknown {
  if (error instanceof ApiError) return error;
  const chain = causesOf(error);
  if (chain.some(cause => cause instanceof IssuerUnavailable || cause.name === 'TimeoutError')) {
    return issuerAway(error);
  }
  const { code, error: given } = error as { code?: unknown; error?: unknown };
  // Every refusal of the library has a code; anything else is a defect.
  if (typeof code !== 'string') return error;
  const reason = String(given ?? code).slice(0, 200);
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (given === 'server_error' || given === 'temporarily_unavailable') return issuerAway(error);
    log.info({ reason }, 'the OIDC issuer did not sign a person in');
    return new ApiError('missing_scope', 'The issuer did not sign you in, or you cancelled.');
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && given === 'invalid_grant') return notOfThisSignIn(error);
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' || code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') {
    log.error({ reason }, 'the OIDC issuer refuses the client: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
    return new ApiError('service_unavailable', 'Sign-in at the issuer is not set up correctly here.', {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
  log.warn(
    { reason, causes: chain.map(({ message }) => message) },
    'a sign-in at the OIDC issuer was refused',
  );
  return notOfThisSignIn(error);
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 10; one = one.cause) chain.push(one);
  return chain;
}

function notOfThisSignIn(cause: unknown): ApiError {
  return invalidRequest('This sign-in was used already, or is not the one that began here: begin again.', {
    cause,
  });
}

function isSubject(sub: string): boolean {
  return sub !== '' && sub.length <= 255 && !sub.includes('\0');
}

/** A display claim, or null if it cannot be stored. */
function shortText(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > lengthMax) return null;
  return value.isWellFormed() && !value.includes('\0') ? value : null;
}
