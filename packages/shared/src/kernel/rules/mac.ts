import { createHmac, hash, type KeyObject } from 'node:crypto';

/** HMAC-SHA-256 of a text, as base64url. */
export type Mac = (text: string) => string;

const blockBytes = 64;
const digestBytes = 32;
const textBytesMax = 16_384;

/**
 * Computes HMAC (RFC 2104) by two one-shot hashes: Node's Hmac object takes twice as long, and the garbage
 * collector has to free it.
 */
export function createMac(key: KeyObject): Mac {
  const secret = key.export();
  const inner = Buffer.alloc(blockBytes + textBytesMax);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  inner.set(secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret);
  for (let at = 0; at < blockBytes; at += 1) {
    const byte = inner[at] as number;
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return text => {
    // A UTF-16 unit takes at most 3 bytes.
    if (text.length * 3 > textBytesMax) return createHmac('sha256', key).update(text).digest('base64url');
    const length = blockBytes + inner.write(text, blockBytes);
    outer.write(hash('sha256', inner.subarray(0, length), 'binary'), blockBytes, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}
