/**
 * Message Encryption for Web Push (RFC 8291) in one record of `aes128gcm` (RFC 8188). The library `web-push` brings
 * fifteen packages, an HTTP client without our address filter among them, for these lines.
 */
import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';

export type Receiver = { p256dh: Buffer; auth: Buffer };

const curve = 'prime256v1';
const recordBytes = 4_096;

/** `salt` and `privateKey` are drawn for this message alone. */
export function encryptPush(
  payload: string,
  { p256dh, auth }: Receiver,
  { salt, privateKey }: { salt: Buffer; privateKey: Buffer },
): Buffer {
  const sender = createECDH(curve);
  sender.setPrivateKey(privateKey);
  const publicKey = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]);
  const input = Buffer.from(hkdfSync('sha256', sender.computeSecret(p256dh), auth, info, 32));
  const derive = (name: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  return Buffer.concat([
    ...[salt, size, Buffer.from([publicKey.length]), publicKey],
    // The delimiter 2 ends the last record.
    ...[cipher.update(payload, 'utf8'), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()],
  ]);
}

/** Whether the keys are those of a browser: a point on P-256, and 16 bytes. */
export function isReceiver({ p256dh, auth }: Receiver): boolean {
  if (auth.length !== 16 || p256dh.length !== 65) return false;
  const probe = createECDH(curve);
  probe.setPrivateKey(Buffer.from('01'.padStart(64, '0'), 'hex'));
  try {
    return probe.computeSecret(p256dh).length === 32;
  } catch {
    return false;
  }
}
