import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { makeSecret } from '../webhooks/signing-secrets.rules.ts';
import { signatureHeaders } from './signatures.rules.ts';

const body = '{"id":"event_1","type":"job.completed","data":{"text":"schön 🎉"}}';

describe('signatureHeaders', () => {
  it('a signature is accepted by the library of Standard Webhooks, and not with another secret or body', () => {
    const secret = makeSecret(randomBytes(32));
    const headers = signatureHeaders([secret], 'event_1', new Date(), body);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(makeSecret(randomBytes(32))).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'event_2' })).toThrow();
  });

  it('a signature is refused by the library of Standard Webhooks when it is older than 5 min', () => {
    const secret = makeSecret(randomBytes(32));
    const headers = signatureHeaders([secret], 'event_1', new Date(Date.now() - 301_000), body);
    expect(() => new Webhook(secret).verify(body, headers)).toThrow(/too old/);
  });

  it('signatures satisfy receivers with the old secret, the new one or both during an overlap', () => {
    const [current, previous] = [makeSecret(randomBytes(32)), makeSecret(randomBytes(32))];
    const headers = signatureHeaders([current, previous], 'event_1', new Date(), body);
    for (const secret of [current, previous]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(headers['x-service-signature']).toBe(createHmac('sha256', current).update(body).digest('hex'));
    expect(headers['x-service-signature-previous']).toBe(
      createHmac('sha256', previous).update(body).digest('hex'),
    );
  });

  it('X-Service-Signature is keyed with the whole secret string, whsec_ included', () => {
    // Made with: printf '%s' '{"a":1}' | openssl dgst -sha256 -hmac
    // 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
    const headers = signatureHeaders(
      ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
      'event_1',
      new Date(1_767_225_600_000),
      '{"a":1}',
    );
    expect(headers['x-service-signature']).toBe(
      'd3f1ea16147b8b8d0304fe2a9559b4b4b84d057af19b132191df3378cbd1234a',
    );
    expect(headers['webhook-timestamp']).toBe('1767225600');
    expect(headers).not.toHaveProperty('x-service-signature-previous');
  });
});

describe('makeSecret', () => {
  it('a secret is whsec_ and the base64 of 32 bytes', () => {
    const secret = makeSecret(randomBytes(32));
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(makeSecret(randomBytes(32))).not.toBe(secret);
  });
});
