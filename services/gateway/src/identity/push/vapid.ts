/** Voluntary Application Server Identification (RFC 8292): the key pair by which push services know us. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createSecretBox, type Logger, type NamedKey } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { Database } from '@hookline/shared/postgres';
import { deriveOwnKeys } from '../keys/credential.ts';
import { findSealedKey, insertSealedKey, replaceSealedKey } from './queries.ts';

export type Vapid = {
  /** Made with the first start of the installation, and the same for all its gateways. */
  publicKey(): Promise<string>;
  /** The header `Authorization` for a push service. */
  authorize(endpoint: string): Promise<string>;
};

type Keys = { publicKey: string; privateKey: KeyObject };

const context = 'vapid';
const tokenLifetimeMs = 12 * hourMs;

/** @param ring the signing keys; one that is derived from those of the gateway seals the private key */
export function createVapid(
  ring: readonly NamedKey[],
  { db, log, now, publicUrl }: { db: Database; log: Logger; now: () => Date; publicUrl: string },
): Vapid {
  const box = createSecretBox(deriveOwnKeys(ring, 'vapid key'));
  const subject = publicUrl.replace(/^http:/, 'https:');
  let loading: Promise<Keys> | undefined;

  async function load(): Promise<Keys> {
    const fresh = box.seal(makePrivateKey(), context);
    const sealed = (await findSealedKey(db)) ?? (await insertSealedKey(db, fresh));
    const opened = box.tryOpen(sealed, context);
    if (opened === null) {
      log.warn(
        'no signing key opens the key of notifications: a new one is made, and browsers subscribe again',
      );
      await db.transaction(tx => replaceSealedKey(tx, { before: sealed, after: fresh, keeps: false }));
      return await load();
    }
    if (!box.isCurrent(sealed)) {
      const after = box.seal(opened, context);
      await db.transaction(tx => replaceSealedKey(tx, { before: sealed, after, keeps: true }));
    }
    return keysOf(opened);
  }

  const keys = (): Promise<Keys> => {
    loading ??= load().catch(error => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    publicKey: async () => (await keys()).publicKey,
    async authorize(endpoint) {
      const { publicKey, privateKey } = await keys();
      const exp = Math.floor((now().getTime() + tokenLifetimeMs) / 1_000);
      const claims = { aud: new URL(endpoint).origin, exp, sub: subject };
      const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map(part => encode(JSON.stringify(part))).join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${text}.${encode(signature)}, k=${publicKey}`;
    },
  };
}

function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

function keysOf(text: string): Keys {
  const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { publicKey: encode(Buffer.concat(point)), privateKey };
}

function encode(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64url');
}
