import { expect, it } from 'vitest';
import { createPerAddress } from './per-address.ts';

const isRefused = (count: () => void): boolean => {
  try {
    count();
    return false;
  } catch {
    return true;
  }
};

it('a /64 has the limit, and the /48 around it ten times as much', () => {
  const limits = createPerAddress(2, 60, () => false);
  const refused = Array.from({ length: 30 }, (_, nth) =>
    isRefused(() => limits.count(`2001:db8:1:${nth.toString(16)}::/64`)),
  );
  expect(refused.indexOf(true)).toBe(20);
  expect(isRefused(() => limits.refuseWhenFull('2001:db8:1:ff::/64'))).toBe(true);
  expect(isRefused(() => limits.count('2001:db8:2:0::/64'))).toBe(false);
});

it('an IPv4 address has the limit alone', () => {
  const limits = createPerAddress(2, 60, () => false);
  expect([1, 2, 3].map(() => isRefused(() => limits.count('203.0.113.7')))).toEqual([false, false, true]);
  expect(isRefused(() => limits.count('203.0.113.8'))).toBe(false);
});
