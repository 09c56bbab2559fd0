import { z } from 'zod';
import { answerList, idField, record, textField, timestamp, versionField } from './answer-fields.ts';
import { Decider } from './content.ts';
import { single } from './envelope.ts';
import { exampleIds, exampleTime, laterTime } from './examples.ts';
import { idParams } from './fields.ts';
import { contentRoute } from './route.ts';

export const contentMoments = [
  'made',
  'failed',
  'charged',
  'edited',
  'approved',
  'rejected',
  'changes_requested',
  'scheduled',
  'withdrawn',
  'sent',
  'postponed',
  'due',
  'delivered',
  'not_delivered',
] as const;

export const ContentMoment = record('ContentMoment', {
  at: timestamp,
  what: z.enum(contentMoments).meta({
    description:
      '`sent`: a schedule was given to the sender; `delivered`: its post or draft is at the platform; `postponed`: it waits to be sent again; `due`: it waits for somebody to post it by phone.',
  }),
  by: Decider.nullable().meta({ description: 'Who made, edited or decided; null where it is not known.' }),
  version: versionField.nullable(),
  scheduleId: idField.nullable(),
  detail: textField.nullable(),
});
export type ContentMoment = z.infer<typeof ContentMoment>;

/** Most entries in one timeline. */
export const timelineMax = 1_000;
const nothingSaid = { by: null, version: null, scheduleId: null, detail: null };

export const getContentTimeline = contentRoute('GET /content/{id}/timeline', {
  scopes: ['content:read'],
  summary: 'Get what happened to a content, oldest first',
  description:
    'From its making to the delivery of its posts, at most the newest 1,000 entries. `GET /schedules/{id}` has every attempt of one schedule.',
  params: idParams('content', exampleIds.content),
  response: single(answerList(ContentMoment, timelineMax)),
  example: {
    response: {
      data: [
        {
          ...nothingSaid,
          at: exampleTime,
          what: 'made',
          by: { kind: 'key', id: exampleIds.key, name: 'Writer' },
          version: 1,
        },
        { ...nothingSaid, at: laterTime, what: 'charged', detail: '1 credit' },
        {
          ...nothingSaid,
          at: laterTime,
          what: 'approved',
          by: { kind: 'key', id: exampleIds.key, name: 'Reviewer' },
          version: 1,
        },
      ],
    },
  },
});
