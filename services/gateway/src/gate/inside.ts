/**
 * Credentials of requests that this process sends to itself. A grant of OAuth stands for a key
 * whose text nobody has, so a tool's calls of the API name that key by its hash, with a secret that
 * never leaves the process.
 */
import { randomBytes } from 'node:crypto';
import { sameBytes } from '@hookline/shared/kernel';

export type Inside = {
  /** The value of `Authorization` for a key. @param keyHash as base64url */
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
