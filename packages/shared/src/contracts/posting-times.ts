import { z } from 'zod';
import { answerList, answerText, record } from './answer-fields.ts';
import { hasEqualTimes } from './equal-times.ts';
import { arrayOf, body, oneOf, text } from './fields.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const timeError = 'must be a 24-hour time HH:MM, such as 09:30';

export const PostingTime = body({
  time: z
    .string({ error: timeError })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeError)
    .register(z.globalRegistry, { maxLength: 5 }),
  days: arrayOf(oneOf(weekdays), 1, 7, 'day names')
    .refine(days => new Set(days).size === days.length, {
      error: 'must not name a day twice',
    })
    .meta({ uniqueItems: true }),
}).meta({ id: 'PostingTime' });
export type PostingTime = z.infer<typeof PostingTime>;

/** A posting time as another version may have stored it; see `StoredBrief`. */
export const StoredPostingTime = record('StoredPostingTime', {
  time: answerText(5),
  days: answerList(z.enum(weekdays), weekdays.length),
});

export const postingTimesMax = 50;

export const postingTimesInput = (min: number) =>
  arrayOf(PostingTime, min, postingTimesMax, 'posting times').refine(times => !hasEqualTimes(times), {
    error: 'must not name the same time twice for a day',
  });

export const timezoneText = text(1, 64).meta({
  description: 'IANA zone, default UTC.',
  examples: ['Europe/Berlin'],
});
