import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createMac } from './mac.ts';

it.each([32, 64, 65, 200])('a MAC by a key of %i bytes is the HMAC-SHA-256 that Node computes', size => {
  const key = createSecretKey(randomBytes(size));
  const mac = createMac(key);
  for (const text of ['', 'a', 'ü\n€ 😀', 'x'.repeat(5_461), '€'.repeat(5_461), 'x'.repeat(20_000), 'b']) {
    expect(mac(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
  }
});
