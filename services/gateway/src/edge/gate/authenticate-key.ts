import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { FastifyRequest } from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { bearerOf, keyHashOf } from '../../identity/keys/credential.ts';
import type { KeyRecord } from '../../identity/keys/record.ts';
import { isSessionToken } from '../../identity/sessions/token.rules.ts';
import { type Admission, refusalOf } from '../limits/admission.ts';

/**
 * The key, which may stand for a grant, of a request that was counted.
 * @throws ApiError `unauthorized`, `key_revoked`, `key_expired`, `rate_limited`
 */
export function acceptKey(
  { uses }: Pick<EdgeDeps, 'uses'>,
  admission: Admission,
  request: FastifyRequest,
): KeyRecord {
  const key = acceptOrThrow(admission);
  if (!key) throw refuseToken(bearerOf(request));
  uses.keys.add(key.keyId);
  return key;
}

/** Checks the key of a request that was admitted a while ago, which is not counted again. */
export async function findAdmittedKey(
  { admissions, inside, now }: Pick<EdgeDeps, 'admissions' | 'inside' | 'now'>,
  request: FastifyRequest,
): Promise<KeyRecord> {
  const keyHash = keyHashOf(inside, request);
  const key = keyHash === null ? null : await admissions.find(keyHash);
  const refusal = refusalOf(key, now().getTime());
  if (refusal) acceptOrThrow({ outcome: refusal });
  return key as KeyRecord;
}

/** The form of the token decides: whether such a session exists is not looked up. */
function refuseToken(token: string | null): ApiError {
  if (token === null || !isSessionToken(token)) return new ApiError('unauthorized');
  return new ApiError(
    'unauthorized',
    'This route needs an API key, not the token of a session: create one in the console, or with POST /keys.',
  );
}

export function acceptOrThrow(admission: Admission): KeyRecord | null {
  switch (admission.outcome) {
    case 'admitted':
      return admission.key;
    case 'ip_limited':
    case 'key_limited':
      throw rateLimited(admission.retryAfterSeconds);
    case 'revoked':
      throw new ApiError('key_revoked');
    case 'expired':
      throw new ApiError('key_expired');
    case 'unknown_key':
      throw new ApiError('unauthorized');
  }
}
