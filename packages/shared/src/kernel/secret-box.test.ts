import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const key = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const first = key('2026');
const second = key('2027');
const box = createSecretBox([first]);

describe('secret box', () => {
  it('opens what it sealed, and shows nothing of it', () => {
    const sealed = box.seal('act.token ✓', 'account_1');
    expect(box.open(sealed, 'account_1')).toBe('act.token ✓');
    expect(sealed).not.toContain('token');
    expect(Buffer.from(sealed.split(':')[1] ?? '', 'base64').toString('latin1')).not.toContain('token');
  });

  it('seals the same text differently each time', () => {
    expect(box.seal('same', 'account_1')).not.toBe(box.seal('same', 'account_1'));
  });

  it('refuses a secret that was moved to another row', () => {
    const sealed = box.seal('token', 'account_1');
    expect(() => box.open(sealed, 'account_2')).toThrow();
  });

  it('refuses a changed secret, byte by byte', () => {
    const [id, text = ''] = box.seal('token', 'account_1').split(':');
    for (const index of Buffer.from(text, 'base64').keys()) {
      const bytes = Buffer.from(text, 'base64');
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      expect(() => box.open(`${id}:${bytes.toString('base64')}`, 'account_1')).toThrow();
    }
  });

  it('refuses one that was cut short, its tag included', () => {
    const [id, text = ''] = box.seal('token', 'account_1').split(':');
    for (const length of [0, 5, 12, 16, 20, 27, 28]) {
      const cut = Buffer.from(text, 'base64').subarray(0, length).toString('base64');
      expect(() => box.open(`${id}:${cut}`, 'account_1')).toThrow();
    }
  });

  it('takes no shorter tag, even one that fits', () => {
    const [id, text = ''] = box.seal('', 'account_1').split(':');
    const bytes = Buffer.from(text, 'base64');
    expect(box.open(`${id}:${bytes.toString('base64')}`, 'account_1')).toBe('');
    for (const tagBytes of [4, 8, 12, 15]) {
      const cut = bytes.subarray(0, 12 + tagBytes).toString('base64');
      expect(() => box.open(`${id}:${cut}`, 'account_1')).toThrow();
    }
  });

  it('reads what an older key sealed, seals with the newest, and knows which is which', () => {
    const old = box.seal('token', 'account_1');
    const rotated = createSecretBox([second, first]);
    expect(rotated.open(old, 'account_1')).toBe('token');
    expect(rotated.isCurrent(old)).toBe(false);
    const renewed = rotated.seal('token', 'account_1');
    expect(rotated.isCurrent(renewed)).toBe(true);
    expect(createSecretBox([second]).open(renewed, 'account_1')).toBe('token');
  });

  it('says so when the key is gone, without the secret', () => {
    const sealed = box.seal('token', 'account_1');
    expect(() => createSecretBox([second]).open(sealed, 'account_1')).toThrow(/key that is not configured/);
  });
});
