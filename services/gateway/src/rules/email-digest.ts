import { createHash } from 'node:crypto';

export function hashEmail(email: string): Buffer {
  return digest(email.toLowerCase());
}

/** Of an e-mail address and the network address that it is used from. */
export function hashPair(email: string, address: string): Buffer {
  return digest(`${email.toLowerCase()}\n${address}`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
