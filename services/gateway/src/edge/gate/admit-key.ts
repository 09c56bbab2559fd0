import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { FastifyRequest } from 'fastify';
import { type Inside, keyHashOf } from '../../identity/keys/credential.ts';
import type { KeyRecord } from '../../identity/keys/record.ts';
import type { KeyUse } from '../../identity/keys/use.ts';
import { type Admission, type Admissions, refusalOf } from '../limits/admission.ts';
import type { ClientAddress } from '../limits/client-address.ts';

/** What the key of a request is checked with. */
export type KeyGate = {
  admissions: Admissions;
  clientAddress: ClientAddress;
  keyUse: KeyUse;
  inside: Inside;
};

/**
 * The API key of a request, or of the grant that it was made with, which is counted in the windows of
 * its address and of the key.
 * @throws ApiError `unauthorized`, `key_revoked`, `key_expired`, `rate_limited`
 */
export async function admitKey(
  deps: KeyGate,
  request: FastifyRequest,
  isContent: boolean,
  keyHash = keyHashOf(deps, request),
): Promise<KeyRecord> {
  const { admissions, clientAddress, keyUse } = deps;
  const ip = clientAddress(request);
  const key = acceptOrThrow(await admissions.admit({ ip, keyHash, isContent }));
  if (!key) throw new ApiError('unauthorized');
  keyUse.add(key.keyId);
  return key;
}

/** The key of a request that was admitted a while ago. @throws ApiError as `admitKey`, which also counts */
export async function admitAgain(
  deps: Pick<KeyGate, 'admissions' | 'inside'> & { now: () => Date },
  request: FastifyRequest,
): Promise<KeyRecord> {
  const keyHash = keyHashOf(deps, request);
  const key = keyHash === null ? null : await deps.admissions.find(keyHash);
  const refusal = refusalOf(key, deps.now().getTime());
  if (refusal) acceptOrThrow({ outcome: refusal });
  return key as KeyRecord;
}

/** The key of an admitted request. @throws ApiError for one that is refused */
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
