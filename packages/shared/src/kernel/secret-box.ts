/**
 * Secrets at rest (platform tokens, webhook secrets): AES-256-GCM prefixed with the key's id, so that keys
 * can rotate.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { NamedKey } from './setting-forms.ts';

export type SecretBox = {
  /**
   * @param context the secret's owner (e.g. an account id); opening requires the same, so rows cannot be
   * swapped
   */
  seal(plaintext: string, context: string): string;
  /** @throws Error when the key is unknown or the text was changed */
  open(sealed: string, context: string): string;
  /** As `open`; null where that throws. */
  tryOpen(sealed: string, context: string): string | null;
  /** True when the text was sealed with the current key. */
  isCurrent(sealed: string): boolean;
};

/** @param ring the current key first; the others only open what they sealed. Each exactly 32 bytes */
export function createSecretBox(ring: readonly NamedKey[]): SecretBox {
  const current = ring[0];
  if (!current) throw new Error('an encryption key is needed');
  const keys = new Map(ring.map(entry => [entry.id, entry.key]));
  const box: SecretBox = {
    seal(plaintext, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `${current.id}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
    },
    open(sealed, context) {
      const colon = sealed.indexOf(':');
      const key = keys.get(sealed.slice(0, colon));
      if (!key) throw new Error('the secret was sealed with a key that is not configured');
      const bytes = Buffer.from(sealed.slice(colon + 1), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
        // Without it Node also accepts a tag of 4 bytes, which can be guessed in 2^32 tries.
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    tryOpen(sealed, context) {
      try {
        return box.open(sealed, context);
      } catch {
        return null;
      }
    },
    isCurrent: sealed => sealed.startsWith(`${current.id}:`),
  };
  return box;
}
