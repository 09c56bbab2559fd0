import { expect, it } from 'vitest';
import { mergePolicy } from './approval-policy.rules.ts';

const open = {
  approvers: 'anyone_with_scope',
  requireVersion: false,
  postTexts: 'open',
  selfApproval: true,
} as const;
const strict = {
  approvers: 'people_only',
  requireVersion: true,
  postTexts: 'approved_only',
  selfApproval: false,
} as const;

it.each([
  ['nothing', open, {}, open],
  ['one field', open, { requireVersion: true }, { ...open, requireVersion: true }],
  ['a field back to false', strict, { requireVersion: false }, { ...strict, requireVersion: false }],
  ['a preset', open, { preset: 'strict' }, strict],
  ['the other preset', strict, { preset: 'open' }, open],
  [
    'a preset with a field on top',
    open,
    { preset: 'strict', selfApproval: true },
    { ...strict, selfApproval: true },
  ],
] as const)('a policy after a change of %s', (_name, current, change, expected) => {
  expect(mergePolicy(current, change)).toEqual(expected);
});
