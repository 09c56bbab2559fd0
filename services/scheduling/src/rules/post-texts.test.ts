import { describe, expect, it } from 'vitest';
import { cutText, defaultDescription } from './post-texts.ts';

describe('cutText', () => {
  it('leaves a text that fits', () => {
    expect(cutText('x'.repeat(90), 90)).toBe('x'.repeat(90));
  });
  it('cuts at a word and says so with an ellipsis', () => {
    const cut = cutText(`${'word '.repeat(30)}`, 90);
    expect(cut).toBe(`${'word '.repeat(17).trimEnd()}…`);
  });
  it('never splits a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';
    const cut = cutText(family.repeat(20), 90);
    expect(cut.length).toBeLessThanOrEqual(90);
    expect(cut).toBe(`${family.repeat(8)}…`);
  });
});

describe('defaultDescription', () => {
  it('keeps hashtags whole within 4,000 units', () => {
    const result = {
      hook: '',
      hookOptions: [],
      bodySlides: [],
      ctaSoft: '',
      ctaHard: '',
      caption: 'c'.repeat(2_200),
      hashtags: Array.from({ length: 30 }, () => `#${'t'.repeat(99)}`),
    };
    const text = defaultDescription(result);
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.split('\n\n')[1]?.split(' ')).toHaveLength(17);
  });
});
