import { expect, it } from 'vitest';
import { createPasswords } from './hasher.ts';

it('says when to try again where too many wait', async () => {
  const passwords = createPasswords();
  const hashes = Array.from({ length: 102 }, () => passwords.hash('correct horse battery'));
  await expect(passwords.hash('one too many')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 2,
  });
  await Promise.all(hashes);
});
