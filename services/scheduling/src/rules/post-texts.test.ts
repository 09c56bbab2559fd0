import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { describe, expect, it } from 'vitest';
import { cutText, defaultDescription, textsToKeep } from './post-texts.ts';

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

describe('textsToKeep', () => {
  const approved = {
    ...{ hook: 'Small habits', hookOptions: [], bodySlides: [], ctaSoft: '', ctaHard: '' },
    ...{ caption: 'Do less.', hashtags: ['#calm'] },
  };
  const own = { title: 'Small habits', description: 'Do less.\n\n#calm' };
  const { open, strict } = approvalPolicies;

  it.each([
    [
      'any text by default',
      { title: 'Other', description: 'words' },
      open,
      { title: 'Other', description: 'words' },
    ],
    ['nothing given', {}, strict, {}],
    ['the approved texts as not given, so that an approved edit is posted', own, strict, {}],
  ])('keeps %s', (_, given, policy, kept) => {
    expect(textsToKeep(given, approved, policy)).toEqual(kept);
  });

  it.each([
    [{ title: 'Other' }, /^title is not the approved text/],
    [{ title: '' }, /^title is not the approved text/],
    [{ ...own, description: 'Do less.\n\n#calm #spam' }, /^description is not the approved text/],
  ])('refuses %o under approved_only', (given, message) => {
    expect(() => textsToKeep(given, approved, strict)).toThrow(message);
  });
});
