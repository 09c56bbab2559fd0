/**
 * Challenges are signed, as the sign-ins at an OIDC issuer are: any gateway accepts one, and nothing is stored for those
 * that nobody answers.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type NamedKey, sameBytes } from '@hookline/shared/kernel';
import { deriveOwnKeys } from '../keys/credential.ts';

const lifetimeMs = 5 * 60_000;
const timeBytes = 6;
const bodyBytes = timeBytes + 16;

export type Challenges = {
  /** @param purpose the step that the challenge belongs to, and no other accepts it */
  make(purpose: string, now: Date): string;
  /** When the challenge expires; null for one that is not of this purpose. */
  read(text: string, purpose: string): Date | null;
};

/** @param ring the signing keys */
export function createChallenges(ring: readonly NamedKey[]): Challenges {
  const keys = deriveOwnKeys(ring, 'passkey challenge').map(({ key }) => key);
  const sign = (key: NamedKey['key'], body: Buffer, purpose: string) =>
    createHmac('sha256', key).update(body).update(purpose).digest();
  return {
    make(purpose, now) {
      const body = randomBytes(bodyBytes);
      body.writeUIntBE(now.getTime() + lifetimeMs, 0, timeBytes);
      const [own] = keys;
      if (!own) throw new Error('a signing key of the gateway is needed');
      return Buffer.concat([body, sign(own, body, purpose)]).toString('base64url');
    },
    read(text, purpose) {
      const bytes = Buffer.from(text, 'base64url');
      // Another spelling of the same bytes would be used up by itself.
      if (bytes.toString('base64url') !== text) return null;
      const [body, signature] = [bytes.subarray(0, bodyBytes), bytes.subarray(bodyBytes)];
      const isOurs = keys.some(key => sameBytes(signature, sign(key, body, purpose)));
      return isOurs ? new Date(body.readUIntBE(0, timeBytes)) : null;
    },
  };
}
