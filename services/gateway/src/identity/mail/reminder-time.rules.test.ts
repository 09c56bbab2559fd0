import { describe, expect, it } from 'vitest';
import { reminderTime } from './reminder-time.rules.ts';

describe('when a mail about waiting content goes out', () => {
  const now = new Date('2026-11-22T10:00:00.000Z');

  it.each([
    ['at once', null, '2026-11-22T10:00:00.000Z'],
    [
      'at once, a quarter of an hour after the last one',
      '2026-11-22T09:45:00.000Z',
      '2026-11-22T10:00:00.000Z',
    ],
    [
      'not within a quarter of an hour of the last one',
      '2026-11-22T09:59:00.000Z',
      '2026-11-22T10:14:00.000Z',
    ],
  ])('instant: %s', (_, mailed, wanted) => {
    const mailedAt = mailed === null ? null : new Date(mailed);
    expect(reminderTime('instant', { now, mailedAt, timezone: 'UTC' })).toEqual(new Date(wanted));
  });

  it.each([
    ['UTC', '2026-11-22T08:59:59.999Z', '2026-11-22T09:00:00.000Z'],
    ['UTC', '2026-11-22T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
    ['Europe/Berlin', '2026-11-22T10:00:00.000Z', '2026-11-23T08:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-22T10:00:00.000Z', '2026-11-22T17:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-22T10:00:00.000Z', '2026-11-23T03:15:00.000Z'],
    ['Europe/Berlin, the clock goes forward', '2026-03-28T12:00:00.000Z', '2026-03-29T07:00:00.000Z'],
    ['Europe/Berlin, the clock goes back', '2026-10-24T12:00:00.000Z', '2026-10-25T08:00:00.000Z'],
  ])('daily: 09:00 in %s', (zone, from, wanted) => {
    const [timezone = ''] = zone.split(',');
    const due = reminderTime('daily', { now: new Date(from), mailedAt: null, timezone });
    expect(due).toEqual(new Date(wanted));
  });
});
