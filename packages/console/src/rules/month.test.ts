import { expect, it } from 'vitest';
import { addDays, daysOf, step } from './month.ts';

it.each([
  ['2026-11-22', '2026-10-26', '2026-12-06', 42],
  ['2027-02-10', '2027-02-01', '2027-03-07', 35],
  // It ends on a Sunday.
  ['2027-01-31', '2026-12-28', '2027-02-07', 42],
  ['2026-03-29', '2026-02-23', '2026-04-05', 42],
])('the month of %s is whole weeks from %s to %s', (day, first, last, count) => {
  const days = daysOf('month', day);
  expect([days[0], days.at(-1), days.length]).toEqual([first, last, count]);
});

it('a week is seven days from the given one, also from a Sunday and over the end of a month', () => {
  const days = daysOf('week', '2026-11-29');
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-11-29', '2026-12-05', 7]);
});

it('steps by a month do not skip a short one', () => {
  expect(step('month', '2027-01-31', 1)).toBe('2027-02-01');
  expect(step('month', '2026-01-31', -1)).toBe('2025-12-01');
  expect(step('week', '2026-12-28', 1)).toBe('2027-01-04');
});

it('every day of four years is shown in its week, and in its month with the day after it', () => {
  for (let day = '2026-01-01'; day < '2030-01-01'; day = addDays(day, 1)) {
    const month = daysOf('month', day);
    expect(month).toContain(addDays(day, 1));
    for (const days of [month, daysOf('week', day)]) {
      expect(days).toContain(day);
      expect(days).toEqual(days.map((_, index) => addDays(days[0] as string, index)));
    }
  }
});

it('a day is a view of its own and goes to the next day, over the end of a month too', () => {
  expect(daysOf('day', '2026-11-30')).toEqual(['2026-11-30']);
  expect(step('day', '2026-11-30', 1)).toBe('2026-12-01');
  expect(step('day', '2026-12-01', -1)).toBe('2026-11-30');
});
