import { firingStatuses } from '@hookline/shared/contracts/automations';
import { describe, expect, it } from 'vitest';
import { afterGeneration, canMove, hasEnded } from './firing.rules.ts';

describe('canMove', () => {
  it('a firing never moves to the same state or back', () => {
    for (const from of firingStatuses) {
      for (const to of firingStatuses) expect(canMove(from, to) && canMove(to, from)).toBe(false);
    }
    expect(canMove('scheduled', 'awaiting_approval')).toBe(false);
    expect(canMove('skipped', 'failed')).toBe(false);
    expect(canMove('done', 'failed')).toBe(false);
  });
  it('a failed firing is done when its schedule is retried and succeeds', () => {
    expect(canMove('failed', 'done')).toBe(true);
  });
  it('a firing has ended when it is done, failed or skipped', () => {
    expect(firingStatuses.filter(hasEnded)).toEqual(['done', 'failed', 'skipped']);
  });
});

describe('afterGeneration', () => {
  it('a generated content waits for a person only when approvalMode is manual', () => {
    expect(afterGeneration('manual')).toBe('awaiting_approval');
    expect(afterGeneration('auto')).toBe('generated');
  });
});
