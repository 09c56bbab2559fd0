import { expect, it } from 'vitest';
import type { Content, Schedule } from '../types.ts';
import { adviceFor, stageOf, stageOfSchedule } from './next-step.ts';

const content = (status: string, approvalStatus = 'pending') => ({ status, approvalStatus }) as Content;
const schedule = (given: object) => ({ failure: null, outcome: null, ...given }) as unknown as Schedule;

it.each([
  ['a deck being written', content('running'), [], 'writing'],
  ['a deck that was not made', content('failed'), [], 'failed'],
  ['one that waits', content('ready'), [], 'pending'],
  ['a rejected one', content('ready', 'rejected'), [], 'rejected'],
  ['an approved one', content('ready', 'approved'), [], 'approved'],
  ['one with a time', content('ready', 'approved'), [schedule({ status: 'pending' })], 'scheduled'],
  ['one edited after it got a time', content('ready'), [schedule({ status: 'pending' })], 'held'],
  ['one on its way', content('ready', 'approved'), [schedule({ status: 'sending' })], 'sending'],
  ['a failed post', content('ready', 'approved'), [schedule({ status: 'failed' })], 'sendFailed'],
  ['a post', content('ready', 'approved'), [schedule({ status: 'sent', outcome: 'published' })], 'published'],
  [
    'a draft',
    content('ready', 'approved'),
    [schedule({ status: 'sent', outcome: 'sent_to_drafts' })],
    'drafts',
  ],
  [
    'a second try that waits',
    content('ready', 'approved'),
    [schedule({ status: 'pending' }), schedule({ status: 'failed' })],
    'scheduled',
  ],
] as const)('%s', (_name, deck, schedules, stage) => {
  expect(stageOf(deck, schedules).is).toBe(stage);
});

it.each([
  [{ status: 'pending', waitsBecause: null }, 'scheduled'],
  [{ status: 'pending', waitsBecause: 'approval' }, 'held'],
  [{ status: 'pending', waitsBecause: 'sending_paused' }, 'scheduled'],
  [{ status: 'sent', outcome: 'sent_to_drafts' }, 'drafts'],
  [{ status: 'sent', outcome: 'published' }, 'published'],
  [{ status: 'failed' }, 'sendFailed'],
] as const)('the schedule %o alone', (given, stage) => {
  expect(stageOfSchedule(schedule(given))).toBe(stage);
});

it.each([
  [{ retryable: true, category: 'account' }, 'retryable'],
  [{ retryable: false, category: 'outcome_unknown' }, 'unknown'],
  [{ retryable: false, category: 'account' }, 'reconnect'],
  [{ retryable: false, category: 'content' }, 'final'],
] as const)('after the failure %o', (failure, advice) => {
  expect(adviceFor(schedule({ status: 'failed', failure }))).toBe(advice);
});
