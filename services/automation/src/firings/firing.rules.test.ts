import { firingStatuses } from '@hookline/shared/contracts/automations';
import { describe, expect, it } from 'vitest';
import { decideSlot } from '../slots/due-slots.rules.ts';
import { afterGeneration, canMove, hasEnded } from './firing.rules.ts';

describe('canMove', () => {
  it('never moves to the same state or back', () => {
    for (const from of firingStatuses) {
      for (const to of firingStatuses) expect(canMove(from, to) && canMove(to, from)).toBe(false);
    }
    expect(canMove('scheduled', 'awaiting_approval')).toBe(false);
    expect(canMove('skipped', 'failed')).toBe(false);
    expect(canMove('done', 'failed')).toBe(false);
  });
  it('lets a retried schedule that succeeds have the last word', () => {
    expect(canMove('failed', 'done')).toBe(true);
  });
  it('has ended with done, failed and skipped', () => {
    expect(firingStatuses.filter(hasEnded)).toEqual(['done', 'failed', 'skipped']);
  });
});

describe('afterGeneration', () => {
  it('waits for a person only when the mode is manual', () => {
    expect(afterGeneration('manual')).toBe('awaiting_approval');
    expect(afterGeneration('auto')).toBe('generated');
  });
});

describe('decideSlot', () => {
  const slot = new Date('2026-11-21T09:00:00.000Z');
  const after = (ms: number) => new Date(slot.getTime() + ms);
  it('fires a slot missed by at most 15 min and skips an older one', () => {
    expect(decideSlot('slideshow', slot, after(0))).toEqual({ fires: true });
    expect(decideSlot('slideshow', slot, after(900_000))).toEqual({ fires: true });
    expect(decideSlot('slideshow', slot, after(900_001))).toMatchObject({
      fires: false,
      reason: expect.stringContaining('missed'),
    });
  });
  it('skips hook_video always, with the reason', () => {
    expect(decideSlot('hook_video', slot, after(0))).toMatchObject({
      reason: expect.stringContaining('generation_not_wired'),
    });
  });
});
