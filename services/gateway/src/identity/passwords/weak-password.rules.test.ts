import { expect, it } from 'vitest';
import { weaknessOf } from './weak-password.rules.ts';

const email = 'Maya.Makes@example.com';

it.each([
  'maya.makes@example.com',
  'Maya.Makes',
  '1234567890',
  '0987654321',
  'Password123',
  'qwertyuiop',
  'aaaaaaaaaa',
  '1212121212',
  'abcabcabcabc',
  'PASSWORDPASSWORD1',
  '1q2w3e4r5t',
  // As a Japanese keyboard may write it.
  '１２３４５６７８９０',
])('%s is refused', password => {
  expect(weaknessOf(password, email)).toMatch(/^must not be/);
});

it.each(['correct horse battery', 'a long enough password', 'maya.makes1', 'tomato7 lamp', '2bananas on'])(
  '%s is not',
  password => {
    expect(weaknessOf(password, email)).toBeNull();
  },
);
