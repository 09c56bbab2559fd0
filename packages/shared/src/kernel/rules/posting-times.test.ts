import { describe, expect, it } from 'vitest';
import type { PostingTime } from '../../contracts/posting-times.ts';
import { isTimezone } from '../../contracts/timezone.ts';
import { localTime, nextSlot, nextSlots } from './posting-times.ts';

const everyDay: PostingTime['days'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function next(timezone: string, time: string, after: string, days = everyDay): string {
  return nextSlot({ timezone, postingTimes: [{ time, days }] }, new Date(after)).toISOString();
}

describe('nextSlot', () => {
  it('a slot has the weekday and the clock of its zone', () => {
    // A Saturday.
    const after = '2026-11-21T12:00:00Z';
    expect(next('UTC', '09:00', after)).toBe('2026-11-22T09:00:00.000Z');
    expect(next('UTC', '12:01', after)).toBe('2026-11-21T12:01:00.000Z');
    expect(next('Asia/Tokyo', '09:00', after, ['mon'])).toBe('2026-11-23T00:00:00.000Z');
    expect(next('Pacific/Kiritimati', '09:00', after, ['sun'])).toBe('2026-11-21T19:00:00.000Z');
    expect(next('Pacific/Pago_Pago', '23:30', after, ['fri'])).toBe('2026-11-28T10:30:00.000Z');
  });

  it('the next slot is strictly after the instant', () => {
    expect(next('UTC', '09:00', '2026-11-22T09:00:00.000Z')).toBe('2026-11-23T09:00:00.000Z');
    expect(next('UTC', '09:00', '2026-11-22T08:59:59.999Z')).toBe('2026-11-22T09:00:00.000Z');
  });

  it('a time inside the spring gap has its slot at the first instant after it', () => {
    expect(next('Europe/Berlin', '02:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next('America/New_York', '02:30', '2026-03-07T12:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
    // Half an hour: 02:00 becomes 02:30.
    expect(next('Australia/Lord_Howe', '02:15', '2026-10-03T12:00:00Z')).toBe('2026-10-03T15:30:00.000Z');
    // A whole day: Friday, 30 December 2011 did not happen.
    expect(next('Pacific/Apia', '09:00', '2011-12-29T20:00:00Z', ['fri'])).toBe('2011-12-30T10:00:00.000Z');
    expect(next('Pacific/Apia', '09:00', '2011-12-30T10:00:00Z', ['fri'])).toBe('2012-01-05T19:00:00.000Z');
  });

  it('a repeated hour has one slot, the first time', () => {
    expect(next('Europe/Berlin', '02:30', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(next('Europe/Berlin', '02:30', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
    expect(next('America/New_York', '01:30', '2026-10-31T12:00:00Z')).toBe('2026-11-01T05:30:00.000Z');
    expect(next('America/New_York', '01:30', '2026-11-01T05:30:00Z')).toBe('2026-11-02T06:30:00.000Z');
    expect(next('Australia/Lord_Howe', '01:45', '2026-04-04T12:00:00Z')).toBe('2026-04-04T14:45:00.000Z');
    expect(next('Australia/Lord_Howe', '01:45', '2026-04-04T14:45:00Z')).toBe('2026-04-05T15:15:00.000Z');
  });

  it('slots keep the wall clock on both sides of a change', () => {
    expect(next('Europe/Berlin', '09:00', '2026-03-28T06:00:00Z')).toBe('2026-03-28T08:00:00.000Z');
    expect(next('Europe/Berlin', '09:00', '2026-03-29T06:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  });
});

describe('nextSlots', () => {
  it('slots are in order, each once, also when two times fall into one gap', () => {
    const plan = {
      timezone: 'Europe/Berlin',
      postingTimes: [
        { time: '02:45', days: everyDay },
        { time: '02:15', days: everyDay },
      ],
    };
    const slots = nextSlots(plan, new Date('2026-03-28T12:00:00Z'), 3).map(slot => slot.toISOString());
    expect(slots).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:15:00.000Z',
      '2026-03-30T00:45:00.000Z',
    ]);
  });
});

it.each([
  ['Asia/Kathmandu', '2026-11-23T14:45:00.000+05:45'],
  ['America/New_York', '2026-11-23T04:00:00.000-05:00'],
  ['Europe/London', '2026-11-23T09:00:00.000Z'],
])('the clocks of %s show %s', (timezone, shown) => {
  expect(localTime(new Date('2026-11-23T09:00:00Z'), timezone)).toBe(shown);
});

describe('isTimezone', () => {
  it('isTimezone accepts names of the IANA database and nothing else', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Australia/Lord_Howe']) {
      expect(isTimezone(name), name).toBe(true);
    }
    for (const name of ['+02:00', 'GMT+2', 'Europe/Atlantis', 'local', 'system', '', 'UTC+1', '01:00']) {
      expect(isTimezone(name), name).toBe(false);
    }
  });
});
