/**
 * Credentials of requests that this process sends to itself. A grant of OAuth stands for a key
 * whose text nobody has, so a tool's calls of the API name that key by its hash, with a secret that
 * never leaves the process.
 */
import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { audienceOfKey } from '@hookline/shared/http';
import type { NamedKey } from '@hookline/shared/kernel';
import { sameBytes } from '@hookline/shared/kernel';
import type { FastifyRequest } from 'fastify';
import { hashApiKey, isApiKey } from './api-key.rules.ts';

export type Inside = {
  credentialOf(keyHash: string): string;
  /** The hash of the key that the header names; null for any other header. */
  keyHashOf(authorization: string | undefined): string | null;
};

export function createInside(): Inside {
  const secret = randomBytes(32).toString('base64url');
  return {
    credentialOf: keyHash => `Inside ${secret}.${keyHash}`,
    keyHashOf(authorization) {
      const [, given, keyHash] = /^Inside ([\w-]{43})\.([\w-]{43})$/.exec(authorization ?? '') ?? [];
      if (given === undefined || keyHash === undefined) return null;
      return sameBytes(Buffer.from(given), Buffer.from(secret)) ? keyHash : null;
    },
  };
}

/** The hash of a well-formed key in the `Authorization` header; null if there is none. */
export function keyHashOf(inside: Inside, request: FastifyRequest): string | null {
  const token = bearerOf(request);
  if (token === null) return inside.keyHashOf(request.headers.authorization);
  return isApiKey(token) ? hashApiKey(token) : null;
}

/** The token of `Authorization: Bearer <token>`; null when the header is missing or has another form. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/**
 * The keys that only gateways hold, newest first. Those of other services are left out, and those of one pair
 * (`gateway.to-content`): the receiver of a call holds its pair's key, too.
 * @param ring the signing keys
 */
export function ownKeys(ring: readonly NamedKey[]): NamedKey[] {
  return ring.filter(({ id }) => /^gateway(?:\.|$)/.test(id) && audienceOfKey(id) === null);
}

/** A key for this purpose alone from each of them: they sign the headers of callers. */
export function deriveOwnKeys(ring: readonly NamedKey[], purpose: string): NamedKey[] {
  return ownKeys(ring).map(({ id, key }) => ({
    id,
    key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `hookline ${purpose}`, 32))),
  }));
}
