/**
 * The text of a key record in Redis. Redis is a cache that others may write to, so a record is signed: one
 * that no gateway wrote, wrote for another key, or wrote longer ago than a lease is not believed (D-69).
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { type NamedKey, sameBytes } from '@hookline/shared/kernel';
import { ownKeys } from '../../identity/keys/credential.ts';
import type { KeyRecord } from '../../identity/keys/record.ts';
import { leaseMs } from './admission.ts';

export type RecordTexts = {
  /**
   * `<revoked 0|1> <expires at, ms, or 0> <lease ends at, ms> <signature> <JSON>`; the scripts read the first
   * two, and `readAtUs` in the JSON.
   */
  write(keyHash: string, key: KeyRecord, leaseLeftMs?: number): string;
  /** Is null when the text is not a current record of this key. */
  read(keyHash: string, text: string): KeyRecord | null;
};

type Read = { text: string; key: KeyRecord; untilMs: number };

const form = /^([01] \d+ (\d{1,15})) ([\w-]{43}) (\{.*\})$/s;
const readMax = 10_000;
// The clocks of two gateways may differ a little; without this, each would read Postgres
// for the other's records.
const skewMs = 1_000;

export function createRecordTexts(ring: readonly NamedKey[], nowMs: () => number): RecordTexts {
  const keys = ownKeys(ring).map(({ key }) => key);
  const [own] = keys;
  if (!own) throw new Error('a signing key of the gateway is needed');
  // A text is one immutable state of its key, so each is verified and parsed once.
  const known = new Map<string, Read>();

  function verify(keyHash: string, text: string): Read | null {
    const [, head = '', until = '', signature = '', json = ''] = form.exec(text) ?? [];
    const given = Buffer.from(signature, 'base64url');
    const isSigned = keys.some(key => {
      const expected = sign(key, keyHash, head, json);
      return sameBytes(given, expected);
    });
    if (!isSigned) return null;
    const key = JSON.parse(json) as KeyRecord;
    return { text, key, untilMs: Number(until) };
  }

  return {
    write(keyHash, key, leaseLeftMs = leaseMs) {
      const head = `${key.isRevoked ? 1 : 0} ${key.expiresAtMs ?? 0} ${nowMs() + leaseLeftMs}`;
      const json = JSON.stringify(key);
      return `${head} ${sign(own, keyHash, head, json).toString('base64url')} ${json}`;
    },
    read(keyHash, text) {
      const seen = known.get(keyHash);
      const record = seen?.text === text ? seen : verify(keyHash, text);
      if (!record || record.untilMs + skewMs < nowMs()) return null;
      if (record !== seen) {
        if (known.size >= readMax) known.clear();
        known.set(keyHash, record);
      }
      return record.key;
    },
  };
}

/** Callers' headers are signed with the same keys; no audience is called `key-record`. */
function sign(key: KeyObject, keyHash: string, head: string, json: string): Buffer {
  return createHmac('sha256', key).update(`key-record\n${keyHash}\n${head}\n${json}`).digest();
}
