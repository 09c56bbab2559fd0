import { createHash } from 'node:crypto';

/** Digest of the unguessable token in an attempt's links. Only the digest is stored. */
export function digestOfLink(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
