import type { CreatedSchedule } from '@hookline/sdk';
import { describe, expect, it } from 'vitest';
import { nextOfSchedule } from './why.ts';

const now = new Date('2026-11-29T14:40:08Z');
const past = { status: 'pending', scheduledFor: '2026-11-29T14:40:02.000Z', waitsBecause: null } as const;

describe('what comes next for a schedule', () => {
  it.each([
    [{ ...past, scheduledFor: '2026-11-30T14:40:08.000Z' }, 'It is sent in 1 d.'],
    [past, 'It is sent next.'],
    [{ ...past, mode: 'phone' }, 'It is due next.'],
    [
      { ...past, waitsBecause: 'approval' },
      'It waits for approval: http://localhost:8080/console/approve?deck=content_1',
    ],
    [
      { ...past, waitsBecause: 'sending_paused' },
      'An owner lets posts go on: http://localhost:8080/console/settings',
    ],
    [
      { ...past, waitsBecause: 'kept_back' },
      'The server was restored, and it may have been posted: look at the account, then move or withdraw it.',
    ],
    [{ ...past, status: 'due' }, 'Post its slides by hand: http://localhost:8080/console/due/schedule_1'],
  ] as const)('%o: %s', (state, next) => {
    const schedule = { id: 'schedule_1', contentId: 'content_1', failure: null, ...state } as CreatedSchedule;
    expect(nextOfSchedule(schedule, now, 'http://localhost:8080/console')).toBe(next);
  });
});
