import { expect, it } from 'vitest';
import { retryAfterMs, verdictOf } from './decision.ts';

it.each([
  ['approve', 1, 'ready', 'pending', 'send'],
  ['reject', 1, 'ready', 'pending', 'send'],
  ['approve', 1, 'ready', 'approved', 'done'],
  ['reject', 1, 'ready', 'rejected', 'done'],
  ['approve', 1, 'ready', 'rejected', 'changed'],
  ['reject', 1, 'ready', 'approved', 'changed'],
  ['approve', 2, 'ready', 'pending', 'changed'],
  ['approve', 2, 'ready', 'approved', 'changed'],
  ['approve', 1, 'running', 'pending', 'changed'],
] as const)('%s of version 1: now version %i, %s and %s: %s', (kind, version, status, approvalStatus, is) => {
  expect(verdictOf({ content: { version: 1 }, kind }, { version, status, approvalStatus })).toBe(is);
});

it('waits longer after every failure, at most a minute', () => {
  expect([1, 2, 3, 5, 6, 40].map(retryAfterMs)).toEqual([2_000, 4_000, 8_000, 32_000, 60_000, 60_000]);
});
