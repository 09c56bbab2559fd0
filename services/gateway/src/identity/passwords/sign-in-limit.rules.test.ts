import { describe, expect, it } from 'vitest';
import { allFailuresMax, failuresMax, waitForAttempt } from './sign-in-limit.rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const failures = (count: number): Date[] => Array.from({ length: count }, (_, index) => ago(20 + index));

describe('waitForAttempt', () => {
  it('closes a pair after ten failures until the oldest of them is 15 minutes old', () => {
    for (const isKnown of [false, true]) {
      expect(waitForAttempt({ ofPair: failures(failuresMax - 1), all: 9, isKnown }, now)).toBeNull();
      const wait = waitForAttempt({ ofPair: failures(failuresMax), all: 10, isKnown }, now);
      expect(wait).toBe(900_000 - 29_000);
    }
  });

  it('leaves one try in 10 s to an unknown address when an e-mail address is under attack', () => {
    const under = { all: allFailuresMax + 1, isKnown: false };
    expect(waitForAttempt({ ...under, ofPair: [] }, now)).toBeNull();
    expect(waitForAttempt({ ...under, ofPair: [ago(3)] }, now)).toBe(7_000);
    expect(waitForAttempt({ ...under, ofPair: [ago(10)] }, now)).toBeNull();
    expect(waitForAttempt({ ...under, ofPair: [ago(3)], all: allFailuresMax }, now)).toBeNull();
    expect(waitForAttempt({ ...under, ofPair: [ago(3)], isKnown: true }, now)).toBeNull();
  });
});
