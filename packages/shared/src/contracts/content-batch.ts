/** Decks made from a list of briefs. */
import { z } from 'zod';
import { answerList, record } from './answer-fields.ts';
import { exampleBrief } from './brief.ts';
import { CreateContentBody, Job } from './content.ts';
import { ErrorEnvelope, single } from './envelope.ts';
import { exampleIds, newRecord } from './examples.ts';
import { arrayOf, body } from './fields.ts';
import { contentRoute } from './route.ts';

export const batchMax = 50;

const BatchOutcome = z
  .object({
    job: Job.nullable(),
    error: ErrorEnvelope.shape.error
      .omit({ requestId: true })
      .nullable()
      .meta({ description: 'Why the row was refused. `param` is the field of the row.' }),
  })
  .meta({ id: 'BatchOutcome', description: 'Either a job or an error.' });
export type BatchOutcome = z.infer<typeof BatchOutcome>;

/** What the service takes: each item is checked later. */
export const UncheckedBatch = body({ items: arrayOf(z.unknown(), 1, batchMax, 'contents') });

export const createContentBatch = contentRoute('POST /content/batch', {
  scopes: ['content:write'],
  summary: 'Generate slideshows from a list (1 credit each, charged only on success)',
  description:
    'Responds at once: `outcomes` has a job or an error for each of `items`, in their order. One that is refused stops no other. `GET /jobs/{id}` and `job.completed` tell what became of a job. Each item has a key of its own, derived from the `Idempotency-Key` and what it says: with the same key, those that were queued before answer the job of the first time, wherever they are in the list, and the others are tried, so a list that was corrected makes nothing twice. The decks of a list take turns with everything else that waits to be made.',
  body: body({ items: arrayOf(CreateContentBody, 1, batchMax, 'contents') }).meta({
    id: 'CreateContentBatch',
  }),
  status: 202,
  response: single(record('ContentBatch', { outcomes: answerList(BatchOutcome, batchMax) })),
  errors: ['missing_idempotency_key'],
  limit: 'content',
  idempotency: 'required',
  example: {
    body: {
      items: [
        { appId: exampleIds.app, type: 'slideshow', brief: exampleBrief },
        { appId: 'app_01k9zt0000000000000000000x', type: 'slideshow' },
      ],
    },
    response: {
      data: {
        outcomes: [
          {
            job: {
              id: exampleIds.content,
              ...newRecord,
              status: 'queued',
              resourceType: 'content',
              resourceId: exampleIds.content,
              cost: 0,
              error: null,
            },
            error: null,
          },
          { job: null, error: { code: 'not_found', message: 'The app was not found.' } },
        ],
      },
    },
  },
});
