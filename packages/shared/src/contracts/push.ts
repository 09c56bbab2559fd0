/** Web Push: what a person is told on a browser that takes notifications. */
import { z } from 'zod';
import { answerList, answerText, record } from './answer-fields.ts';
import { single } from './envelope.ts';
import { body, text } from './fields.ts';
import { gatewayRoute } from './route.ts';

export const pushKinds = [
  'decks_waiting',
  'link_decided',
  'post_due',
  'post_failed',
  'account_reconnect',
] as const;
export type PushKind = (typeof pushKinds)[number];

export const Push = record('Push', {
  publicKey: answerText(100).meta({ description: 'The VAPID key, for `applicationServerKey`.' }),
  kinds: answerList(z.enum(pushKinds), pushKinds.length).meta({
    description: 'What the person is told in this workspace, on each browser that takes it.',
  }),
  subscribed: z.boolean().meta({ description: 'Whether the browser of this session takes it.' }),
});
export type Push = z.infer<typeof Push>;

export const examplePush: Push = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  kinds: ['decks_waiting', 'post_failed'],
  subscribed: true,
};

const base64url = (bytes: number) =>
  text(1, 200).regex(/^[\w-]+=*$/, `must be the base64url of ${bytes} bytes`);

export const SubscribePushBody = body({
  endpoint: text(1, 1_000)
    .regex(/^[!-~]+$/, 'must be a URL of ASCII characters')
    .meta({
      examples: ['https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV'],
      description: 'https, on the public internet.',
    }),
  keys: body({ p256dh: base64url(65), auth: base64url(16) }),
}).meta({ id: 'SubscribePush' });
export type SubscribePushBody = z.infer<typeof SubscribePushBody>;

export const subscribePush = gatewayRoute('PUT /workspace/notifications/browser', {
  auth: 'session',
  roles: ['owner', 'approver'],
  summary: 'Send notifications to this browser',
  description:
    'Takes the `PushSubscription` of the browser as JSON, for as long as its session lives; a second one replaces the first. A push service that answers 404 or 410 ends it.',
  body: SubscribePushBody,
  response: single(Push),
  example: {
    body: {
      endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    response: { data: examplePush },
  },
});

export const unsubscribePush = gatewayRoute('DELETE /workspace/notifications/browser', {
  auth: 'session',
  summary: 'Send no notifications to this browser',
  description: 'Other browsers of the person are not affected.',
  response: single(Push),
  example: { response: { data: { ...examplePush, subscribed: false } } },
});
