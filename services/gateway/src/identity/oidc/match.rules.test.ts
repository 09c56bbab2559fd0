import { expect, it } from 'vitest';
import { isSamePerson } from './match.rules.ts';

const at = new Date();
it.each([
  ['maya@corp.example', true, at, true],
  ['Maya@CORP.example', true, at, true],
  ['maya@corp.example', false, at, false],
  ['maya@corp.example', true, null, false],
  ['maya@sub.corp.example', true, at, false],
  ['maya@notcorp.example', true, at, false],
  ['maya@gmail.example', true, at, false],
  ['corp.example@evil.example', true, at, false],
] as const)(
  '%s, verified there: %s, proven here at %s: %s',
  (email, isEmailVerified, emailVerifiedAt, same) => {
    expect(isSamePerson({ email, isEmailVerified }, { emailVerifiedAt }, ['corp.example'])).toBe(same);
  },
);
