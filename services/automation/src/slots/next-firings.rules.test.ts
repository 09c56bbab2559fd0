import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import { expect, it } from 'vitest';
import { nextFirings } from './next-firings.rules.ts';

const everyDay: PostingTime['days'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const plan = (name: string, time: string, nextFireAt: string, timezone = 'UTC') => ({
  name,
  timezone,
  postingTimes: [{ time, days: everyDay }],
  nextFireAt: new Date(nextFireAt),
  ...{ until: null, maxFirings: null, firingsMade: 0 },
});

it('next firings of all plans are merged by time, from the stored next one on', () => {
  const plans = [
    plan('noon', '12:00', '2026-11-23T12:00:00Z'),
    plan('berlin', '09:00', '2026-11-22T08:00:00Z', 'Europe/Berlin'),
    plan('also noon', '12:00', '2026-11-22T12:00:00Z'),
  ];
  expect(nextFirings(plans, 5).map(({ plan: { name }, at }) => `${at.toISOString()} ${name}`)).toEqual([
    '2026-11-22T08:00:00.000Z berlin',
    '2026-11-22T12:00:00.000Z also noon',
    '2026-11-23T08:00:00.000Z berlin',
    '2026-11-23T12:00:00.000Z noon',
    '2026-11-23T12:00:00.000Z also noon',
  ]);
  expect(nextFirings([], 5)).toEqual([]);
});

it('next firings of a plan end with its limits', () => {
  const noon = plan('noon', '12:00', '2026-11-23T12:00:00Z');
  const ends = [
    { ...noon, name: 'until', until: new Date('2026-11-24T12:00:00Z') },
    { ...noon, name: 'three', maxFirings: 5, firingsMade: 2 },
  ];
  expect(nextFirings(ends, 9).map(({ plan: { name }, at }) => `${at.getUTCDate()} ${name}`)).toEqual([
    '23 until',
    '23 three',
    '24 until',
    '24 three',
    '25 three',
  ]);
});
