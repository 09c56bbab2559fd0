import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA-256 of a text, as base64url. */
export type Mac = (text: string) => string;

export function createMac(key: KeyObject): Mac {
  return text => createHmac('sha256', key).update(text).digest('base64url');
}
