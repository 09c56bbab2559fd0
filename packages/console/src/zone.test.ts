import { afterEach, expect, it, vi } from 'vitest';
import { clockFrom, dayName, dayOf, fromLocal, showSameClock, timesIn, toLocal, tomorrow } from './zone.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['1830', '18:30'],
  ['18.30', '18:30'],
  ['24:00', '24:00'],
  ['6:00 PM', '18:00'],
  ['6pm', '18:00'],
  ['12 a.m.', '00:00'],
  ['12:30pm', '12:30'],
  ['13 pm', '13 pm'],
  ['noon', 'noon'],
])('%s is typed for %s', (typed, clock) => {
  expect(clockFrom(typed)).toBe(clock);
});

it.each([
  ['2026-11-23T08:30', 'Europe/Berlin', '2026-11-23T07:30:00.000Z'],
  ['2026-07-01T08:30', 'Europe/Berlin', '2026-07-01T06:30:00.000Z'],
  ['2026-11-23T00:00', 'Pacific/Auckland', '2026-11-22T11:00:00.000Z'],
  ['2026-11-23T09:00', 'Asia/Kathmandu', '2026-11-23T03:15:00.000Z'],
  ['2026-11-23T09:00', 'UTC', '2026-11-23T09:00:00.000Z'],
])('%s in %s is %s and back', (local, zone, iso) => {
  expect(fromLocal(local, zone)).toBe(iso);
  expect(toLocal(iso, zone)).toBe(local);
});

it.each([
  ['Europe/Berlin', 'Europe/Vienna', true],
  ['Etc/UTC', 'UTC', true],
  ['Europe/London', 'UTC', false],
  ['Europe/Berlin', 'Africa/Lagos', false],
])('clocks in %s and %s show the same all year: %s', (zone, other, expected) => {
  for (const at of ['2026-01-15', '2026-07-15'])
    expect(showSameClock(zone, other, Date.parse(at))).toBe(expected);
});

it('a time that clocks show twice is the first, one that they skip moves by the gap', () => {
  expect(fromLocal('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
  expect(fromLocal('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

it('a slot whose clock time comes twice stays the second in a form that shows it', () => {
  const slot = '2026-10-25T01:30:00.000Z';
  const local = toLocal(slot, 'Europe/Berlin');
  expect(fromLocal(local, 'Europe/Berlin', slot)).toBe(slot);
  expect(fromLocal(local, 'Europe/Berlin', undefined, '2026-10-26T17:00:00.000Z', slot)).toBe(slot);
  expect(fromLocal('2026-10-25T03:30', 'Europe/Berlin', slot)).toBe('2026-10-25T02:30:00.000Z');
});

it.each([
  '',
  '2026-11-23',
  '0002-11-23T08:30',
  '0202-11-23T08:30',
  '20266-11-23T08:30',
  '202611-11-23T08:30',
  '2026-13-40T08:30',
])('%j is no time', local => {
  expect(fromLocal(local, 'Europe/Berlin')).toBeNull();
});

it.each([
  ['Pacific/Auckland', '9999-12-31T10:59:00.000Z'],
  ['UTC', '9999-12-31T23:59:00.000Z'],
  ['America/New_York', null],
])('the last minute that can be typed, in %s', (zone, iso) => {
  expect(fromLocal('9999-12-31T23:59', zone)).toBe(iso);
});

it.each([
  ['2026-12-15T12:00:00Z', '2026-12-31T23:30:00Z', 'Fri, 1 Jan 2027'],
  ['2026-12-15T12:00:00Z', '2026-12-31T22:30:00Z', 'Thu 31 Dec'],
  ['2026-12-31T23:30:00Z', '2027-01-01T09:00:00Z', 'Fri 1 Jan'],
  ['2026-12-31T23:30:00Z', '2026-12-31T22:30:00Z', 'Thu, 31 Dec 2026'],
])('in Berlin a day has its year unless it is this one there: at %s, %s is %s', (now, iso, name) => {
  vi.useFakeTimers({ now: new Date(now) });
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  expect(dayName(iso, 'Europe/Berlin')).toBe(name);
});

it('the day is that of the zone', () => {
  expect(dayOf('2026-11-22T23:30:00.000Z', 'Europe/Berlin')).toBe('2026-11-23');
  expect(dayOf('2026-11-22T23:30:00.000Z', 'America/New_York')).toBe('2026-11-22');
});

it.each([
  ['2026-10-24T22:30:00Z', '09:00', '2026-10-26T09:00'],
  ['2026-03-28T22:30:00Z', '09:00', '2026-03-29T09:00'],
  ['2026-10-24T12:00:00Z', undefined, '2026-10-25T14:00'],
])('tomorrow is the next day in Berlin, also at %s', (now, clock, local) => {
  expect(tomorrow('Europe/Berlin', clock, Date.parse(now))).toBe(local);
});

it('times in a text of the server are shown in the zone', () => {
  vi.stubGlobal('navigator', { languages: ['de-DE', 'en-US@posix', 'en-GB', 'en-US'] });
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });
  expect(timesIn('for 2026-11-23T23:30:00.000Z, draft', 'Europe/Berlin')).toBe(
    'for Tue 24 Nov, 00:30, draft',
  );
  expect(timesIn('moved: version 2', 'UTC')).toBe('moved: version 2');
  expect(timesIn('at 2026-99-99T00:00:00Z', 'UTC')).toBe('at 2026-99-99T00:00:00Z');
});
