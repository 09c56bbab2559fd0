/**
 * What a browser answers to a challenge (WebAuthn Level 3, sections 7.1 and 7.2). No attestation is asked for: which
 * make of authenticator a person has decides nothing here.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256 } from '@hookline/shared/kernel/sha256';

export type Ceremony = 'webauthn.create' | 'webauthn.get';

/** The challenge that was answered at our origin; null for anything else. */
export function challengeOf(clientData: Buffer, type: Ceremony, origin: string): string | null {
  try {
    const said = JSON.parse(clientData.toString('utf8')) as Record<string, unknown>;
    const isOurs = said.type === type && said.origin === origin && said.crossOrigin !== true;
    return isOurs && typeof said.challenge === 'string' ? said.challenge : null;
  } catch {
    return null;
  }
}

/** WebAuthn's limit. An entry of an index holds 2,700 bytes. */
const credentialIdMax = 1_023;

export type AuthenticatorData = {
  /** The authenticator knew its owner, by a PIN or a finger. */
  isVerified: boolean;
  signCount: number;
  /** Null unless the credential was just made. */
  credentialId: Buffer | null;
};

/** Null when the authenticator answered for another site, or nobody was there. */
export function readAuthenticatorData(data: Buffer, rpId: string): AuthenticatorData | null {
  const flags = data.length < 37 ? 0 : data.readUInt8(32);
  if ((flags & 0x01) === 0 || !data.subarray(0, 32).equals(sha256(rpId))) return null;
  const idLength = (flags & 0x40) !== 0 && data.length >= 55 ? data.readUInt16BE(53) : 0;
  const credentialId = data.subarray(55, 55 + idLength);
  const isId = idLength > 0 && idLength <= credentialIdMax && credentialId.length === idLength;
  return {
    isVerified: (flags & 0x04) !== 0,
    signCount: data.readUInt32BE(33),
    credentialId: isId ? credentialId : null,
  };
}

/** In the order of preference: Ed25519, ECDSA on P-256, RSA. The names are those of COSE. */
export const algorithms = [-8, -7, -257] as const;

/** Null for a key of another kind. @param publicKey SubjectPublicKeyInfo in DER */
export function readPublicKey(publicKey: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
    const { namedCurve, modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
    const isKnown =
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      (key.asymmetricKeyType === 'rsa' &&
        modulusLength >= 2_048 &&
        modulusLength <= 4_096 &&
        publicExponent === 65_537n);
    return isKnown ? key : null;
  } catch {
    return null;
  }
}

export function isSigned(
  publicKey: Buffer,
  {
    authenticatorData,
    clientData,
    signature,
  }: Record<'authenticatorData' | 'clientData' | 'signature', Buffer>,
): boolean {
  const key = readPublicKey(publicKey);
  const digest = key?.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  return key !== null && verify(digest, signed, key, signature);
}
