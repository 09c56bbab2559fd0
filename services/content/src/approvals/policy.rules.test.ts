import { ApiError } from '@hookline/shared/contracts';
import { type ApprovalPolicy, approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Actor } from '@hookline/shared/http';
import { authorOf, mayApprove } from '@hookline/shared/http/authority';
import { describe, expect, it } from 'vitest';
import { judgeReview, type Reviewed, requirePolicy } from './policy.rules.ts';

const maya: Actor = { kind: 'person', id: 'user_maya', name: 'Maya', creatorId: null };
const mayasKey: Actor = { kind: 'key', id: 'key_maya', name: 'agent', creatorId: 'user_maya' };
const oldKey: Actor = { kind: 'key', id: 'key_old', name: 'old', creatorId: null };

function refusal(
  policy: Partial<ApprovalPolicy>,
  actor: Actor,
  version: number | undefined,
  authorId: string | null,
) {
  try {
    requirePolicy({ actor, approvalPolicy: { ...approvalPolicies.open, ...policy } }, { version }, [
      authorId,
    ]);
    return null;
  } catch (error) {
    expect((error as ApiError).message).toMatch(/approval policy of this workspace/);
    return error instanceof ApiError && error.code;
  }
}

it.each<[string, Partial<ApprovalPolicy>, Actor | null, Scope[], boolean]>([
  ['a key with content:approve', {}, mayasKey, ['content:approve'], true],
  ['a key without it', {}, mayasKey, ['apps:write'], false],
  ['a key where people approve', { approvers: 'people_only' }, mayasKey, ['content:approve'], false],
  ['a person where people approve', { approvers: 'people_only' }, maya, ['content:approve'], true],
  ['an editor', {}, maya, ['apps:write', 'content:write'], false],
])('%s may approve, or may not', (_, policy, actor, scopes, expected) => {
  const approvalPolicy = { ...approvalPolicies.open, ...policy };
  expect(mayApprove({ actor, scopes, approvalPolicy })).toBe(expected);
});

describe('the approval policy', () => {
  it.each<[string, Partial<ApprovalPolicy>, Actor, number | undefined, string | null, string | null]>([
    [
      'by default a key decides on its own text without naming a version',
      {},
      mayasKey,
      undefined,
      'user_maya',
      null,
    ],
    ['people_only lets a person decide', { approvers: 'people_only' }, maya, undefined, 'user_maya', null],
    ['people_only refuses a key', { approvers: 'people_only' }, mayasKey, 1, null, 'missing_scope'],
    ['requireVersion takes a version', { requireVersion: true }, mayasKey, 1, null, null],
    ['requireVersion refuses none', { requireVersion: true }, maya, undefined, null, 'invalid_request'],
    ['selfApproval false refuses the author', { selfApproval: false }, maya, 1, 'user_maya', 'missing_scope'],
    [
      "selfApproval false refuses the author's key",
      { selfApproval: false },
      mayasKey,
      1,
      'user_maya',
      'missing_scope',
    ],
    [
      'selfApproval false refuses a key without a creator',
      { selfApproval: false },
      oldKey,
      1,
      'key_old',
      'missing_scope',
    ],
    ['selfApproval false lets somebody else decide', { selfApproval: false }, maya, 1, 'key_old', null],
    [
      'selfApproval false lets anybody decide where no author is known',
      { selfApproval: false },
      maya,
      1,
      null,
      null,
    ],
    ['strict lets another person decide on a version', approvalPolicies.strict, maya, 1, 'user_ben', null],
  ])('%s', (_, policy, actor, version, authorId, code) => {
    expect(refusal(policy, actor, version, authorId)).toBe(code);
  });

  it('counts a key as the person who minted it', () => {
    expect([maya, mayasKey, oldKey].map(actor => authorOf({ actor }))).toEqual([
      'user_maya',
      'user_maya',
      'key_old',
    ]);
    expect(authorOf({ actor: null })).toBeNull();
  });
});

describe('a review of what was seen', () => {
  const rejected = { status: 'ready', approvalStatus: 'rejected', version: 2, sendState: 'none' } as const;

  it.each<[Reviewed, 'approved' | 'rejected', string]>([
    [{}, 'approved', 'apply'],
    [{ version: 2, approvalStatus: 'rejected' }, 'approved', 'apply'],
    [{ version: 2, approvalStatus: 'pending' }, 'approved', 'refuse'],
    [{ version: 1, approvalStatus: 'rejected' }, 'approved', 'refuse'],
    [{ version: 2, approvalStatus: 'pending' }, 'rejected', 'unchanged'],
  ])('%j of a rejected version 2: %s is %s', (seen, decision, verdict) => {
    expect(judgeReview(rejected, decision, seen).kind).toBe(verdict);
  });

  it.each([
    ['pending', 'sent', 'apply'],
    ['pending', 'sending', 'refuse'],
    ['rejected', 'sent', 'refuse'],
  ] as const)('a %s version whose content was or is %s: %s', (approvalStatus, sendState, verdict) => {
    expect(judgeReview({ ...rejected, approvalStatus, sendState }, 'approved', {}).kind).toBe(verdict);
  });
});
