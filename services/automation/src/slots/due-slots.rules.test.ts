import { expect, it } from 'vitest';
import { dueSlots } from './due-slots.rules.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const plan = {
  format: 'slideshow' as const,
  timezone: 'Europe/Berlin',
  postingTimes: [{ time: '09:00', days: [...days] }],
};

// 09:00 in Berlin is 08:00Z on these days.
it.each([
  ['an hour early', '2026-11-23T07:00:00.000Z', '2026-11-23T08:00:00.000Z'],
  ['an hour late', '2026-11-23T09:00:00.000Z', '2026-11-24T08:00:00.000Z'],
])('a slot that was stored with another zone table, %s, only moves', (_, stored, next) => {
  const now = new Date(stored);
  expect(dueSlots({ ...plan, nextFireAt: now }, now, 10)).toEqual({ due: [], next: new Date(next) });
});
