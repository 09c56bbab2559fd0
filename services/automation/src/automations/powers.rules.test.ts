import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import { type Scope, scopes } from '@hookline/shared/contracts/scopes';
import type { Actor } from '@hookline/shared/http';
import { describe, expect, it } from 'vitest';
import { changeFields } from './plan-fields.rules.ts';
import { isPauseOnly, type Powers, requirePersonForAuto, requirePowers } from './powers.rules.ts';

const subsets: readonly Scope[][] = Array.from({ length: 2 ** scopes.length }, (_, mask) =>
  scopes.filter((_scope, at) => (mask >> at) % 2 === 1),
);

const states = (['auto', 'manual'] as const).flatMap(approvalMode =>
  (['publish', 'drafts'] as const).map(postingMode => ({ approvalMode, postingMode })),
);

/** Each field of PATCH with its values, and what the powers of an automation are after it. */
const changes: readonly (readonly [UpdateAutomationBody, Partial<Powers>])[] = [
  [{ status: 'active' }, {}],
  [{ postingTimes: [{ time: '09:00', days: ['mon'] }] }, {}],
  [{ timezone: 'Asia/Tokyo' }, {}],
  [{ brief: { hook: 'Words that nobody read' } }, {}],
  [{ brief: null }, {}],
  [{ approvalMode: 'auto' }, { approvalMode: 'auto' }],
  [{ approvalMode: 'manual' }, { approvalMode: 'manual' }],
  [{ postingMode: 'publish' }, { postingMode: 'publish' }],
  [{ postingMode: 'drafts' }, { postingMode: 'drafts' }],
  [{ privacyLevel: null }, {}],
  [{ postingMode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' }, { postingMode: 'publish' }],
  [{ status: 'paused', brief: { hook: 'Words for later' } }, {}],
];

function isAllowed(subset: readonly Scope[], automation: Powers): boolean {
  try {
    requirePowers({ scopes: subset }, automation);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'missing_scope', status: 403 });
    return false;
  }
}

describe('requirePowers', () => {
  it('an automation needs the scopes of what it does, with every set of scopes', () => {
    expect(subsets).toHaveLength(2 ** scopes.length);
    const wrong = states.flatMap(state =>
      subsets.filter(subset => {
        const holdsAll =
          (state.approvalMode === 'manual' || subset.includes('content:approve')) &&
          (state.postingMode === 'drafts' || subset.includes('schedules:publish'));
        return isAllowed(subset, state) !== holdsAll;
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    [
      { approvalMode: 'auto', postingMode: 'drafts' },
      'approvalMode "auto" needs a key with the scope content:approve.',
    ],
    [
      { approvalMode: 'manual', postingMode: 'publish' },
      'postingMode "publish" needs a key with the scope schedules:publish.',
    ],
  ] as const)('the refusal names the scope that is missing for %o', (automation, message) => {
    expect(() => requirePowers({ scopes: ['automations:write'] }, automation)).toThrow(message);
  });
});

describe('requirePersonForAuto', () => {
  const key: Actor = { kind: 'key', id: 'key_1', name: 'agent', creatorId: 'user_1' };
  const person: Actor = { kind: 'person', id: 'user_1', name: 'Maya', creatorId: null };
  const { open, strict } = approvalPolicies;

  it.each([
    ['a key may set auto by default', key, open, 'auto', true],
    ['a key may not under people_only', key, strict, 'auto', false],
    ['a key may set manual under people_only', key, strict, 'manual', true],
    ['a person may set auto under people_only', person, strict, 'auto', true],
  ] as const)('%s', (_, actor, approvalPolicy, approvalMode, isPassed) => {
    const ask = () => requirePersonForAuto({ actor, approvalPolicy }, { approvalMode });
    if (isPassed) expect(ask).not.toThrow();
    else expect(ask).toThrow(/^The approval policy of this workspace is approvers "people_only"/);
  });
});

describe('a change', () => {
  const powerful: readonly Scope[] = ['content:approve', 'schedules:publish'];
  const holders = [[], ['content:approve'], ['schedules:publish'], powerful] as const;

  it.each(changes)('a change by %o needs the scopes of its result', (change, becomes) => {
    expect(isPauseOnly(change)).toBe(false);
    for (const state of states) {
      const current = { ...state, privacyLevel: null, format: 'slideshow', brief: null } as const;
      const unlimited = { topics: [], topicIndex: 0, until: null, maxFirings: null };
      const result = changeFields(
        { ...current, ...unlimited, status: 'active', postingTimes: [], timezone: 'UTC' },
        change,
      );
      const expected = { ...state, ...becomes };
      expect(result).toMatchObject(expected);
      for (const holder of holders) {
        const isMissing =
          (expected.approvalMode === 'auto' && !holder.includes('content:approve' as never)) ||
          (expected.postingMode === 'publish' && !holder.includes('schedules:publish' as never));
        expect(isAllowed(holder, result), `${JSON.stringify(state)} ${holder}`).toBe(!isMissing);
      }
    }
  });

  it('a change only pauses when it names nothing else', () => {
    expect(isPauseOnly({ status: 'paused' })).toBe(true);
    expect(isPauseOnly({ status: 'active' })).toBe(false);
    expect(isPauseOnly({ status: 'paused', approvalMode: 'auto' })).toBe(false);
  });
});
