import { createHash } from 'node:crypto';

/** 32 bytes. Secrets of at least 24 random bytes are stored as this and compared with it. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
