/** The parameters of an authorization request (OAuth 2.1 section 4.1.1, RFC 7636, RFC 8707). */
import { isChallenge } from './tokens.rules.ts';

export const authorizationFields = [
  ...['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'],
  ...['scope', 'state', 'resource'],
] as const;

export type AuthorizationRequest = Readonly<Record<string, string | undefined>>;

/** A refusal that reaches the client through its redirect address. */
export type AuthorizationRefusal = {
  error:
    | 'invalid_request'
    | 'unsupported_response_type'
    | 'invalid_target'
    | 'invalid_scope'
    | 'access_denied';
  reason: string;
};

const stateMax = 2_000;

/**
 * Everything but client and redirect address, which are checked before anything is sent there.
 * @returns null for a request that is in order
 */
export function refusalOfAuthorization(
  given: AuthorizationRequest,
  resource: string,
): AuthorizationRefusal | null {
  if (given.response_type !== 'code') {
    return { error: 'unsupported_response_type', reason: 'response_type must be "code"' };
  }
  if ((given.state?.length ?? 0) > stateMax) {
    return { error: 'invalid_request', reason: `state must have at most ${stateMax} characters` };
  }
  if (given.code_challenge_method !== 'S256') {
    return { error: 'invalid_request', reason: 'code_challenge_method must be "S256"' };
  }
  if (!isChallenge(given.code_challenge ?? '')) {
    return {
      error: 'invalid_request',
      reason: 'code_challenge must be SHA-256 of the verifier as base64url',
    };
  }
  if (!isResource(given.resource, resource)) {
    return { error: 'invalid_target', reason: `resource must be ${resource}` };
  }
  return null;
}

/** @param given the parameter `resource`, in any spelling of the same URL */
export function isResource(given: string | undefined, resource: string): boolean {
  return given !== undefined && URL.parse(given)?.href === new URL(resource).href;
}

export function backToClient(
  { redirect_uri: redirectUri = '', state }: AuthorizationRequest,
  answer: Readonly<Record<string, string>>,
  issuer: string,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state ? { state } : {}), iss: issuer })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}
