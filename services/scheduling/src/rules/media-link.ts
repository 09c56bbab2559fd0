import { createHash } from 'node:crypto';

/** What is stored of the unguessable token in an attempt's links. */
export function digestOfLink(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
