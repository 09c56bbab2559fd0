import { ApiError, rateLimited } from '@hookline/shared/contracts';
import type { FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../deps.ts';
import { type Admission, type KeyRecord, refusalOf } from '../limits/admission.ts';
import { hashApiKey, isApiKey } from '../rules/api-key.ts';

/** The hash of a well-formed key in the `Authorization` header; null if there is none. */
export function keyHashOf({ inside }: Pick<GatewayDeps, 'inside'>, request: FastifyRequest): string | null {
  const token = bearerOf(request);
  if (token === null) return inside.keyHashOf(request.headers.authorization);
  return isApiKey(token) ? hashApiKey(token) : null;
}

/**
 * The API key of a request, or of the grant that it was made with, which is counted in the windows of
 * its address and of the key.
 * @throws ApiError `unauthorized`, `key_revoked`, `key_expired`, `rate_limited`
 */
export async function admitKey(
  deps: Pick<GatewayDeps, 'admissions' | 'clientAddress' | 'keyUse' | 'inside'>,
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
  deps: Pick<GatewayDeps, 'admissions' | 'inside' | 'now'>,
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

/** The token of `Authorization: Bearer <token>`; null when the header is missing or has another form. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}
