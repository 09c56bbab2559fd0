import { sha256 } from '@hookline/shared/kernel/sha256';

export function hashEmail(email: string): Buffer {
  return sha256(email.toLowerCase());
}

export function hashPair(email: string, address: string): Buffer {
  return sha256(`${email.toLowerCase()}\n${address}`);
}
