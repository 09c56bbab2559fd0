import { describe, expect, it } from 'vitest';
import { decideSlot, dueSlots } from './due-slots.rules.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const plan = {
  format: 'slideshow' as const,
  timezone: 'Europe/Berlin',
  until: null,
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

it('no slot after `until` is due, and one at it is', () => {
  const nextFireAt = new Date('2026-11-23T08:00:00.000Z');
  const now = new Date('2026-11-26T12:00:00.000Z');
  const until = new Date('2026-11-24T08:00:00.000Z');
  const { due, next } = dueSlots({ ...plan, until, nextFireAt }, now, 10);
  expect(due.map(({ slot }) => slot)).toEqual([nextFireAt, until]);
  expect(next).toEqual(new Date('2026-11-25T08:00:00.000Z'));
});

describe('decideSlot', () => {
  const slot = new Date('2026-11-21T09:00:00.000Z');
  const after = (ms: number) => new Date(slot.getTime() + ms);
  it('a slot missed by at most 15 min fires, an older one is skipped', () => {
    expect(decideSlot('slideshow', slot, after(0))).toEqual({ fires: true });
    expect(decideSlot('slideshow', slot, after(900_000))).toEqual({ fires: true });
    expect(decideSlot('slideshow', slot, after(900_001))).toMatchObject({
      fires: false,
      reason: expect.stringContaining('missed'),
    });
  });
  it('a slot of hook_video is always skipped, with the reason', () => {
    expect(decideSlot('hook_video', slot, after(0))).toMatchObject({
      reason: expect.stringContaining('generation_not_wired'),
    });
  });
});
