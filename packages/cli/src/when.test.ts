import { describe, expect, it } from 'vitest';
import { Failure } from './failure.ts';
import { distance, parseWhen } from './when.ts';

// A Sunday, 19:41 in Berlin.
const now = new Date('2026-11-22T18:41:00Z');
const berlin = 'Europe/Berlin';

describe('parseWhen', () => {
  it.each([
    ['now', '2026-11-22T18:41:00Z'],
    ['in 2 hours', '2026-11-22T20:41:00Z'],
    ['in 5 minutes', '2026-11-22T18:46:00Z'],
    ['in 1 min', '2026-11-22T18:42:00Z'],
    ['+2h', '2026-11-22T20:41:00Z'],
    ['in 2 weeks', '2026-12-06T18:41:00Z'],
    ['+90m', '2026-11-22T20:11:00Z'],
    ['in 3 days', '2026-11-25T18:41:00Z'],
    ['tomorrow 9:00', '2026-11-23T08:00:00Z'],
    ['Tomorrow at 9pm', '2026-11-23T20:00:00Z'],
    ['today 23:30', '2026-11-22T22:30:00Z'],
    ['9:00', '2026-11-23T08:00:00Z'],
    ['20:00', '2026-11-22T19:00:00Z'],
    ['fri 18:30', '2026-11-27T17:30:00Z'],
    ['sunday 12:00', '2026-11-29T11:00:00Z'],
    ['2026-12-24 09:00', '2026-12-24T08:00:00Z'],
    ['2026-12-24T09:00:00', '2026-12-24T08:00:00Z'],
    ['2026-12-24T09:00:00Z', '2026-12-24T09:00:00Z'],
    ['2026-12-24 09:00+05:30', '2026-12-24T03:30:00Z'],
  ])('%s', (text, expected) => {
    expect(parseWhen(text, now, berlin).at.toISOString()).toBe(expected.replace('Z', '.000Z'));
  });

  it.each([
    '',
    'soon',
    'today 9:00',
    'tomorrow',
    'tomorrow 25:00',
    '13pm',
    '2026-02-30 09:00',
    '2026-02-30T09:00Z',
    '2026-13-01 09:00',
    '9',
    'in 2 months',
    'in 2 moons',
    'in 2 hrs and 5 minutes',
    'in 1 year',
  ])('refuses "%s" as wrong usage', text => {
    expect(() => parseWhen(text, now, berlin)).toThrow(Failure);
  });

  it('refuses a time that clocks skip, and says so of one that comes twice', () => {
    expect(() => parseWhen('2027-03-28 02:30', now, berlin)).toThrow(/does not exist in Europe\/Berlin/);
    const twice = parseWhen('2027-10-31 02:30', now, berlin);
    expect(twice.at.toISOString()).toBe('2027-10-31T00:30:00.000Z');
    expect(twice.note).toMatch(/comes twice/);
  });

  it.each([
    ['2:30', '2027-10-31T00:10:00Z', /the first/, '2027-10-31T00:30:00.000Z'],
    ['2:30', '2027-10-31T00:40:00Z', /the second/, '2027-10-31T01:30:00.000Z'],
    ['today 2:30', '2027-10-31T01:10:00Z', /the second/, '2027-10-31T01:30:00.000Z'],
    ['2027-10-31 02:30', '2027-10-31T01:10:00Z', /the second/, '2027-10-31T01:30:00.000Z'],
    ['2:30', '2027-10-31T01:40:00Z', null, '2027-11-01T01:30:00.000Z'],
  ])('takes the one that is to come of a time that comes twice: %s at %s', (text, at, note, expected) => {
    const when = parseWhen(text, new Date(at), berlin);
    expect(when.at.toISOString()).toBe(expected);
    if (note) expect(when.note).toMatch(note);
    else expect(when.note).toBeNull();
  });

  it.each([
    ['2:30', '2027-03-29T00:30:00.000Z'],
    ['sun 2:30', '2027-04-04T00:30:00.000Z'],
  ])('passes over a time of today that clocks skipped: %s', (text, expected) => {
    const noon = new Date('2027-03-28T10:00:00Z');
    expect(parseWhen(text, noon, berlin).at.toISOString()).toBe(expected);
    const night = new Date('2027-03-28T00:30:00Z');
    expect(() => parseWhen(text, night, berlin)).toThrow(/does not exist/);
  });

  it.each([
    ['Asia/Kathmandu', '2026-11-24T03:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-23T19:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-11-23T20:00:00.000Z'],
  ])('reads the day of %s', (zone, expected) => {
    expect(parseWhen('tomorrow 9:00', now, zone).at.toISOString()).toBe(expected);
  });
});

it('distance is rounded to one unit', () => {
  expect(distance('2026-11-22T18:41:00Z', now)).toBe('now');
  expect(distance('2026-11-22T18:36:30Z', now)).toBe('5 min ago');
  expect(distance('2026-11-24T18:41:00Z', now)).toBe('in 2 d');
});
