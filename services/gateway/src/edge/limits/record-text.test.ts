import { createSecretKey, randomBytes } from 'node:crypto';
import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { describe, expect, it } from 'vitest';
import type { KeyRecord } from '../../identity/keys/record.ts';
import { leaseMs } from './admission.ts';
import { createRecordTexts } from './record-text.ts';

const named = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const [gateway, rotated, content] = [named('gateway'), named('gateway.2026'), named('content')];
const key: KeyRecord = {
  keyId: 'key_1',
  readAtUs: 1,
  accountId: 'acct_1',
  role: 'owner',
  deletesAtMs: null,
  approvalPolicy: approvalPolicies.open,
  actor: { kind: 'key', id: 'key_1', name: 'test' },
  createdBy: null,
  scopes: ['apps:read'],
  expiresAtMs: null,
  isRevoked: false,
};
let now = 1_763_712_000_000;
const texts = createRecordTexts([gateway, content], () => now);

describe('the text of a key record', () => {
  it('is read by every gateway, also while keys are rotated', () => {
    const text = texts.write('hash_1', key);
    expect(text).toMatch(/^0 0 \d+ /);
    expect(createRecordTexts([rotated, gateway], () => now).read('hash_1', text)).toEqual(key);
  });

  it('is not believed for another key, or with any change, or without a signature', () => {
    const text = texts.write('hash_1', key);
    expect(texts.read('hash_1', text)).toEqual(key);
    expect(texts.read('hash_2', text)).toBeNull();
    for (const forged of [
      text.replace('acct_1', 'acct_2'),
      text.replace('apps:read', 'content:approve'),
      text.replace(/^0 0 \d/, '0 0 9'),
      text.replace(/^0/, '1'),
      `0 0 ${JSON.stringify(key)}`,
      `0 0 ${now + leaseMs} ${'A'.repeat(43)} ${JSON.stringify(key)}`,
      '',
    ]) {
      expect(texts.read('hash_1', forged), forged).toBeNull();
    }
  });

  it('is not believed from another service, or from a key that nobody knows', () => {
    const other = createRecordTexts([{ ...content, id: 'gateway' }], () => now);
    expect(texts.read('hash_1', other.write('hash_1', key))).toBeNull();
    expect(() => createRecordTexts([content], () => now)).toThrow('a signing key of the gateway');
  });

  it('ends with its lease, so that a record kept from before a revocation opens nothing', () => {
    const text = texts.write('hash_1', key);
    now += leaseMs + 1_000;
    expect(texts.read('hash_1', text)).toEqual(key);
    now += 1;
    expect(texts.read('hash_1', text)).toBeNull();
  });
});
