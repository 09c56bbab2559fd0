import { describe, expect, it } from 'vitest';
import { createLeases } from './leases.ts';

describe('createLeases', () => {
  it('a claim is held for its lease, counted from the request', () => {
    let nowMs = 1_000;
    const leases = createLeases(6_000, () => nowMs);
    leases.set('a', 900);
    nowMs = 6_899;
    expect(leases.isHeld('a')).toBe(true);
    nowMs = 6_900;
    expect(leases.isHeld('a')).toBe(false);
  });

  it('a renewal prolongs a lease, but not one that was dropped', () => {
    let nowMs = 0;
    const leases = createLeases(6_000, () => nowMs);
    leases.set('a', 0);
    leases.renew('a', 4_000);
    nowMs = 9_000;
    expect(leases.isHeld('a')).toBe(true);
    leases.drop('a');
    leases.renew('a', 9_000);
    expect(leases.isHeld('a')).toBe(false);
    expect(leases.isHeld('never claimed')).toBe(false);
  });
});
