import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKey, isApiKey, makeApiKey } from './api-key.rules.ts';

describe('API keys', () => {
  it('a made key is svc_live_, 43 characters and a checksum of 6', () => {
    for (let index = 0; index < 100; index += 1) {
      const key = makeApiKey(randomBytes(32));
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
      expect(isApiKey(key)).toBe(true);
    }
  });

  it('one mistyped character anywhere is detected', () => {
    const key = makeApiKey(randomBytes(32));
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('two swapped neighbors are detected', () => {
    const key = makeApiKey(randomBytes(32));
    for (let at = 9; at < key.length - 1; at += 1) {
      if (key[at] === key[at + 1]) continue;
      expect(isApiKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBe(false);
    }
  });

  it.each([
    '',
    'svc_live_',
    `sess_${'a'.repeat(43)}`,
    `${makeApiKey(randomBytes(32))} `,
    makeApiKey(randomBytes(32)).toUpperCase(),
  ])('refuses %j', text => {
    expect(isApiKey(text)).toBe(false);
  });

  it('10,000 random strings of the right form are no keys', () => {
    let found = 0;
    for (let index = 0; index < 10_000; index += 1) {
      const text = randomBytes(48).toString('base64').replaceAll(/[+/=]/g, 'a').slice(0, 49).padEnd(49, 'a');
      if (isApiKey(`svc_live_${text}`)) found += 1;
    }
    expect(found).toBe(0);
  });

  it('the stored form is 32 bytes and differs per key', () => {
    const [one, two] = [makeApiKey(randomBytes(32)), makeApiKey(randomBytes(32))];
    expect(Buffer.from(hashApiKey(one), 'base64url')).toHaveLength(32);
    expect(hashApiKey(one)).not.toEqual(hashApiKey(two));
  });
});
