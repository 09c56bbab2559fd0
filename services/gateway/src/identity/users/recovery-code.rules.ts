import { digitsOf } from '@hookline/shared/kernel/derive-id';
import { sha256 } from '@hookline/shared/kernel/sha256';

/** Four groups of four characters: 80 bits, so that a plain digest keeps it secret. @param random 16 bytes */
export function makeRecoveryCode(random: Buffer): string {
  return digitsOf(random).replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** Spaces, hyphens and upper case make no difference, nor do letters that look like digits. */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return sha256(plain.replaceAll('o', '0').replaceAll(/[il]/g, '1'));
}
