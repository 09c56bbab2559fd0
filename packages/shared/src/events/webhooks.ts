import { z } from 'zod';
import { By, exampleBy } from './by.ts';
import { defineEvent } from './envelope.ts';

export const webhookSecretRotated = defineEvent({
  type: 'webhook.secret_rotated',
  topic: 'automation.webhooks',
  about: 'A webhook got a new secret. The event does not carry it.',
  data: z.object({
    /** For how long the previous secrets keep signing. */
    overlapHours: z.number(),
    by: By.nullable(),
  }),
  example: { overlapHours: 24, by: exampleBy },
});
