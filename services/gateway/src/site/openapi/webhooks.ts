/** The `webhooks` of the document: what is sent to a registered endpoint, one entry for each public event. */
import { publicEvents } from '@hookline/shared/events';
import { type Components, type Json, toSchema } from './schemas.ts';

export function webhooksOf(schemas: Components): Record<string, Json> {
  return Object.fromEntries(
    publicEvents.map(({ type, about, payload, example }) => [
      type,
      {
        post: {
          operationId: operationIdOf(type),
          summary: about.split('. ')[0]?.replace(/\.$/, ''),
          description: `${about} A 2xx answer within 15 s confirms it; otherwise it is sent again.`,
          tags: ['webhooks'],
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(payload, 'answer', schemas), example } },
          },
          responses: {
            200: { description: 'Received' },
            410: { description: 'The endpoint is gone; it is disabled' },
          },
        },
      },
    ]),
  );
}

/** `schedule.sent_to_drafts` becomes `onScheduleSentToDrafts`. */
function operationIdOf(type: string): string {
  return `on${type
    .split(/[._]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;
}

const header = (
  name: string,
  description: string,
  pattern: string,
  example: string,
  required = true,
): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', maxLength: 2048, pattern },
  example,
});

const signatureHeaders = [
  header(
    'X-Service-Signature',
    'Hex HMAC-SHA256 of the raw body, keyed with the whole secret.',
    '^[0-9a-f]{64}$',
    'd3f1ea16147b8b8d0304fe2a9559b4b4b84d057af19b132191df3378cbd1234a',
  ),
  header(
    'X-Service-Signature-Previous',
    'The same, keyed with the secret before; only while a secret is being rotated.',
    '^[0-9a-f]{64}$',
    'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
    false,
  ),
  header(
    'webhook-id',
    'The id of the event, the same on every attempt.',
    '^event_[0-9A-Za-z_-]{1,32}$',
    'event_01k9ztqav3b6n9m2x5c8q1w4er',
  ),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt.', '^[0-9]{1,12}$', '1795251600'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each live secret.',
    '^v1,[0-9A-Za-z+/=]+( v1,[0-9A-Za-z+/=]+)*$',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
