import { describe, expect, it } from 'vitest';
import type { NextFiring, Schedule } from '../types.ts';
import { entriesByDay, mayPutOn, runsOf, timeOn } from './calendar.ts';

const schedule = (id: string, scheduledFor: string, status: Schedule['status'] = 'pending') =>
  ({ id, scheduledFor, status, contentId: `of ${id}`, tiktokAccountId: 'a', title: `T ${id}` }) as Schedule;
const firing = {
  automationId: 'auto',
  fireAt: '2026-11-24T09:30:00.000Z',
  tiktokAccountId: 'a',
} as NextFiring;

const days = entriesByDay({
  schedules: [
    schedule('late', '2026-11-24T11:00:00.000Z'),
    schedule('sent', '2026-11-24T10:00:00.000Z', 'sent'),
    schedule('early', '2026-11-24T09:00:00.000Z'),
    schedule('next', '2026-11-25T09:00:00.000Z'),
  ],
  firings: [firing],
  slots: [{ accountId: 'a', at: '2026-11-24T10:30:00.000Z' }],
  isHeld: contentId => contentId === 'of late',
  dayOf: at => at.slice(0, 10),
});

describe('a day', () => {
  it('is one list in the order of the clock, whatever its entries are', () => {
    const day = days.get('2026-11-24') ?? [];
    expect(day.map(({ id, look, title }) => [id, look, title])).toEqual([
      ['early', 'waiting', 'T early'],
      ['auto 2026-11-24T09:30:00.000Z', 'planned', null],
      ['sent', 'sent', 'T sent'],
      ['a 2026-11-24T10:30:00.000Z', 'free', null],
      ['late', 'held', 'T late'],
    ]);
    expect(days.get('2026-11-25')).toHaveLength(1);
  });

  it('keeps that order in its movable and fixed parts', () => {
    const runs = runsOf(days.get('2026-11-24') ?? [], ({ look }) => look === 'waiting' || look === 'held');
    expect(runs.map(({ isMovable, entries }) => [isMovable, entries.map(({ id }) => id)])).toEqual([
      [true, ['early']],
      [false, ['auto 2026-11-24T09:30:00.000Z', 'sent', 'a 2026-11-24T10:30:00.000Z']],
      [true, ['late']],
    ]);
  });
});

it('nothing is put on a day that is over; today begins at the next full hour', () => {
  const now = '2026-11-24T22:40';
  expect(mayPutOn('2026-11-23', now)).toBe(false);
  expect(mayPutOn('2026-11-24', now)).toBe(true);
  expect(timeOn('2026-11-23', now)).toBeNull();
  expect(timeOn('2026-11-24', now)).toBe('2026-11-24T23:00');
  expect(timeOn('2026-11-24', '2026-11-24T23:10')).toBe('2026-11-24T23:59');
  expect(timeOn('2026-11-25', now)).toBe('2026-11-25T09:00');
});
