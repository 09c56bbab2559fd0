import { expect, it } from 'vitest';
import { freeSlots } from './free-slots.rules.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const account = (timezone: string, ...times: string[]) => ({
  timezone,
  slots: times.map(time => ({ time, days: [...days] })),
});
const at = (...times: string[]) => times.map(time => new Date(time));

it('a slot is taken by a schedule less than 10 minutes before or after it', () => {
  const taken = at(
    '2026-11-23T08:50:00Z',
    '2026-11-24T08:50:00.001Z',
    '2026-11-25T09:09:59Z',
    '2026-11-26T09:10:00Z',
  );
  expect(freeSlots(account('UTC', '09:00'), taken, new Date('2026-11-22T12:00:00Z'), 3)).toEqual(
    at('2026-11-23T09:00:00Z', '2026-11-26T09:00:00Z', '2026-11-27T09:00:00Z'),
  );
});

it('one schedule takes both slots that it is near to, and several may be near to one slot', () => {
  const taken = at('2026-11-23T09:02:00Z', '2026-11-23T09:04:00Z', '2026-11-23T09:05:00Z');
  const slots = freeSlots(
    account('UTC', '09:00', '09:10', '09:20'),
    taken,
    new Date('2026-11-23T08:00:00Z'),
    1,
  );
  expect(slots).toEqual(at('2026-11-23T09:20:00Z'));
});

it('slots keep the clock of the zone of the account across a change of clocks', () => {
  expect(freeSlots(account('Europe/Berlin', '09:00'), [], new Date('2026-10-24T12:00:00Z'), 1)).toEqual(
    at('2026-10-25T08:00:00Z'),
  );
  expect(freeSlots(account('Europe/Berlin', '02:30'), [], new Date('2027-03-27T12:00:00Z'), 1)).toEqual(
    at('2027-03-28T01:00:00Z'),
  );
});

it('there is none without slots, and none more than 365 days ahead', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  expect(freeSlots(account('UTC'), [], now, 5)).toEqual([]);
  const year = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(2026, 10, 24 + day, 9)));
  expect(freeSlots(account('UTC', '09:00'), year, now, 1)).toEqual([]);
  expect(freeSlots(account('UTC', '09:00'), year.slice(1), now, 9)).toEqual(at('2026-11-24T09:00:00Z'));
});

it('fifty slots a day that a year of schedules has taken are passed over in less than a second', () => {
  const times = Array.from({ length: 50 }, (_, nth) => `${String(nth % 24).padStart(2, '0')}:${10 + nth}`);
  const crowded = account('Europe/Berlin', ...times);
  const now = new Date('2026-11-22T12:00:00Z');
  const taken = freeSlots(crowded, [], now, 20_000);
  expect(taken.length).toBeGreaterThan(18_000);
  const begun = performance.now();
  expect(freeSlots(crowded, taken, now, 1)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
