import { ApiError } from '@hookline/shared/contracts';
import { describe, expect, it } from 'vitest';
import {
  canChange,
  permitOutcome,
  requireOwnersChange,
  requireTransition,
  type ScheduleState,
  type Transition,
} from './states.rules.ts';

const states = {
  pending: { status: 'pending', failure: null },
  sending: { status: 'sending', failure: null },
  due: { status: 'due', failure: null },
  sent: { status: 'sent', failure: null },
  final: { status: 'failed', failure: { code: 'not_approved', retryable: false } },
  retryable: { status: 'failed', failure: { code: 'tiktok_create_failed', retryable: true } },
  unknown: { status: 'failed', failure: { code: 'outcome_unknown', retryable: false } },
} satisfies Record<string, ScheduleState>;

type Name = keyof typeof states;

// Every change with all the states that it is allowed from, deliberately written down a second time.
const allowed: Record<Transition['name'], readonly Name[]> = {
  claimed: ['pending', 'sending'],
  returned: ['sending'],
  requeued: ['sending'],
  handed_over: ['sending'],
  held: ['sending', 'due'],
  sent: ['sending', 'unknown'],
  posted: ['pending', 'due'],
  failed: ['pending', 'sending', 'due', 'unknown', 'retryable'],
  moved: ['pending', 'due'],
  withdrawn: ['pending', 'due'],
  retried: ['retryable'],
};

describe.each(Object.entries(allowed) as [Transition['name'], readonly Name[]][])('%s', (change, from) => {
  it.each(Object.keys(states) as Name[])(`${change}: a schedule that is %s`, name => {
    const isAllowed = from.includes(name);
    expect(canChange(change, states[name])).toBe(isAllowed);
    const take = () => requireTransition(change, states[name]);
    if (isAllowed) expect(take).not.toThrow();
    else expect(take).toThrow(`a schedule that is ${states[name].status} cannot be ${change}`);
  });
});

it.each([
  ['moved', 'pending', null],
  ['moved', 'sending', 'already_sending'],
  ['moved', 'sent', 'already_sent'],
  ['moved', 'retryable', 'invalid_request'],
  ['withdrawn', 'pending', null],
  ['withdrawn', 'sending', 'already_sending'],
  ['withdrawn', 'sent', 'already_sent'],
  ['withdrawn', 'unknown', 'invalid_request'],
  ['posted', 'due', null],
  ['posted', 'sending', 'already_sending'],
  ['posted', 'retryable', 'invalid_request'],
  ['retried', 'pending', 'already_scheduled'],
  ['retried', 'due', 'already_scheduled'],
  ['retried', 'sending', 'already_sending'],
  ['retried', 'sent', 'already_sent'],
  ['retried', 'final', 'not_postable'],
  ['retried', 'unknown', 'not_postable'],
  ['retried', 'retryable', null],
] as const)('an owner who wants it %s while it is %s: %s', (change, name, code) => {
  expect(codeOf(() => requireOwnersChange(change, states[name]))).toBe(code);
});

it.each([
  [null, 'failed'],
  ['pending', 'failed'],
  ['sending', null],
  ['due', 'failed'],
  ['sent', 'sent'],
  ['failed', 'failed'],
] as const)('the permit of a schedule that is %s ends as %s', (status, outcome) => {
  expect(permitOutcome(status)).toBe(outcome);
});

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}
