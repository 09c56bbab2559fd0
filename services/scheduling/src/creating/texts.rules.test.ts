import { type ApprovalPolicy, approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Actor } from '@hookline/shared/http';
import { describe, expect, it } from 'vitest';
import { cutText, defaultDescription, requireAiLabel, textsToKeep } from './texts.rules.ts';

const maya: Actor = { kind: 'person', id: 'user_maya', name: 'Maya', creatorId: null };

describe('cutText', () => {
  it('cutText leaves a text that fits', () => {
    expect(cutText('x'.repeat(90), 90)).toBe('x'.repeat(90));
  });
  it('cutText cuts at a word, with an ellipsis', () => {
    const cut = cutText(`${'word '.repeat(30)}`, 90);
    expect(cut).toBe(`${'word '.repeat(17).trimEnd()}…`);
  });
  it('cutText never splits a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';
    const cut = cutText(family.repeat(20), 90);
    expect(cut.length).toBeLessThanOrEqual(90);
    expect(cut).toBe(`${family.repeat(8)}…`);
  });
});

describe('defaultDescription', () => {
  it('a description keeps hashtags whole within 4,000 units', () => {
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
  const approvedOnly = { ...open, postTexts: 'approved_only' } as const;
  const by = (approvalPolicy: ApprovalPolicy, ...scopes: Scope[]) => ({
    scopes,
    actor: maya,
    approvalPolicy,
  });

  it.each([
    [
      'any text where the policy is open',
      { title: 'Other', description: 'words' },
      by(open),
      { title: 'Other', description: 'words' },
    ],
    [
      'those of somebody who may approve',
      { title: 'Other' },
      by(approvedOnly, 'content:approve'),
      { title: 'Other' },
    ],
    ['nothing given', {}, by(strict), {}],
    ['the approved texts as not given, so that an approved edit is posted', own, by(approvedOnly), {}],
  ])('textsToKeep keeps %s', (_, given, caller, kept) => {
    expect(textsToKeep(given, approved, caller)).toEqual(kept);
  });

  it.each([
    [{ title: 'Other' }, /^title is not the approved text/],
    [{ title: '' }, /^title is not the approved text/],
    [{ ...own, description: 'Do less.\n\n#calm #spam' }, /^description is not the approved text/],
  ])('textsToKeep refuses %o under approved_only', (given, message) => {
    expect(() => textsToKeep(given, approved, by(approvedOnly))).toThrow(message);
    // Under selfApproval false nobody posts own words.
    expect(() => textsToKeep(given, approved, by(strict, 'content:approve'))).toThrow(message);
  });
});

describe('requireAiLabel', () => {
  const key: Actor = { kind: 'key', id: 'key_1', name: 'agent', creatorId: 'user_maya' };
  const { open, strict } = approvalPolicies;

  it.each([
    ['the label stays on', true, key, ['schedules:write'], open, true],
    ['it is not named', undefined, key, ['schedules:write'], open, true],
    ['a key that may approve takes it off', false, key, ['content:approve'], open, true],
    ['a key that may not', false, key, ['schedules:write', 'schedules:publish'], open, false],
    ['a key where people approve', false, key, ['content:approve'], strict, false],
    ['a person where people approve', false, maya, ['content:approve'], strict, true],
  ] as const)('%s', (_, aiGenerated, actor, scopes, approvalPolicy, isPassed) => {
    const ask = () => requireAiLabel({ aiGenerated }, { actor, scopes, approvalPolicy });
    if (isPassed) expect(ask).not.toThrow();
    else expect(ask).toThrow(/^aiGenerated false takes the AI label off/);
  });
});
