import { describe, expect, it } from 'vitest';
import { createUsedCalls } from './used-calls.ts';

describe('calls that changed something', () => {
  it('are known for at least 40 s, and forgotten after 80 s', () => {
    for (const givenAt of [1_000_000, 1_000_001, 1_025_000, 1_039_999]) {
      const used = createUsedCalls();
      used.isRepeat('first', 1_000_000);
      expect(used.isRepeat('call', givenAt)).toBe(false);
      expect(used.isRepeat('call', givenAt + 1)).toBe(true);
      for (let at = givenAt; at < givenAt + 40_000; at += 5_000) used.isRepeat(`other ${at}`, at);
      expect(used.isRepeat('call', givenAt + 40_000)).toBe(true);
      expect(used.isRepeat('call', givenAt + 130_000)).toBe(false);
    }
  });

  it('take bounded memory: the oldest of more than 100,000 are forgotten first', () => {
    const used = createUsedCalls();
    for (let call = 0; call < 100_001; call += 1) used.isRepeat(`call ${call}`, 5);
    expect(used.isRepeat('call 100000', 5)).toBe(true);
    expect(used.isRepeat('call 60000', 5)).toBe(true);
    expect(used.isRepeat('call 0', 5)).toBe(false);
  });
});
