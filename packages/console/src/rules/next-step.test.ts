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
  [{ retryable: true, category: 'account', code: 'account_needs_reauth' }, 'reconnect'],
  [{ retryable: true, category: 'account', code: 'workspace_frozen' }, 'retry'],
  [{ retryable: true, category: 'rate_limited', code: 'tiktok_publish_failed' }, 'retry'],
  [{ retryable: false, category: 'outcome_unknown', code: 'outcome_unknown' }, 'look'],
  [{ retryable: false, category: 'content', code: 'invalid_privacy_level' }, 'schedule'],
  [{ retryable: false, category: 'account', code: 'tiktok_publish_failed' }, 'elsewhere'],
  [{ retryable: false, category: 'internal', code: 'tiktok_create_failed' }, 'operator'],
  [{ retryable: false, category: 'content', code: 'not_approved' }, 'edit'],
  [{ retryable: false, category: 'platform_rejected', code: 'tiktok_publish_failed' }, 'edit'],
] as const)('after the failure %o', (failure, advice) => {
  expect(adviceFor(schedule({ status: 'failed', failure }))).toBe(advice);
});
