import { sha256 } from '@hookline/shared/kernel/sha256';

export function hashEmail(email: string): Buffer {
  return sha256(email.toLowerCase());
}

/** Of an e-mail address and the network address that it is used from. */
export function hashPair(email: string, address: string): Buffer {
  return sha256(`${email.toLowerCase()}\n${address}`);
}
