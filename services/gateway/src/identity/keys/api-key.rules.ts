/** The format of API keys (D-19). A checksum detects a mistyped key without a lookup. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'svc_live_';
const secretLength = 43;
const checksumLength = 6;

const exactPattern = /^svc_live_[0-9A-Za-z]{49}$/;

/** `svc_live_`, 256 random bits as 43 base62 characters, and the CRC32 of both as 6 more. */
export function makeApiKey(random: Buffer): string {
  const body = prefix + toBase62(BigInt(`0x${random.toString('hex')}`), secretLength);
  return body + checksumOf(body);
}

export function isApiKey(text: string): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength || !exactPattern.test(text)) return false;
  return text.slice(-checksumLength) === checksumOf(text.slice(0, -checksumLength));
}

/**
 * The hash that is stored and looked up, as base64url. A fast hash is enough: the key has 256 random bits.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** `svc_live_` and 8 characters: enough to distinguish keys, far too few to guess one. */
export function visiblePrefix(key: string): string {
  return key.slice(0, prefix.length + 8);
}

function checksumOf(body: string): string {
  let value = crc32(body);
  let text = '';
  for (let index = 0; index < checksumLength; index += 1) {
    text = digits[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

function toBase62(number: bigint, length: number): string {
  let value = number;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = digits[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}
