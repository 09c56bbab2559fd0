import { createSecretKey } from 'node:crypto';
import { createLogger, createMediaLinks, createSecretBox } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { expect, it } from 'vitest';
import type { ClaimedDelivery } from '../deliveries/record.ts';
import { createWebhookSender } from '../receivers/sender.ts';
import { sealSecret } from '../webhooks/signing-secrets.rules.ts';
import { deliver } from './attempt.ts';

const keys = ['one', 'two'].map((id, index) => ({ id, key: createSecretKey(Buffer.alloc(32, index)) }));
const [first, second] = keys.map(key => createSecretBox([key]));
if (!first || !second) throw new Error('there are two keys');

it.each([
  ['a delivery whose secret no key opens was not sent', second, false],
  ['a delivery that its receiver refuses was sent', first, true],
])('%s', async (_name, opens, isSent) => {
  // An address that is refused before a connection.
  const sender = createWebhookSender({ allowedTargets: new Set() });
  const at = new Date('2026-11-20T12:00:00.000Z');
  const event = {
    id: 'event_1',
    position: 1,
    type: 'job.completed',
    resource: 'job:1',
    sequence: 1,
    data: {},
  };
  const delivery: ClaimedDelivery = {
    ...{ id: 'delivery_1', webhookId: 'webhook_1', eventId: event.id, eventType: event.type },
    ...{ status: 'pending', attempts: [], attemptsMade: 0, nextAttemptAt: at, createdAt: at, updatedAt: at },
    ...{ readsContent: true, readsSchedules: true, url: 'https://127.0.0.1/hook', token: 'token' },
    secrets: [sealSecret(first, 'webhook_1', `whsec_${Buffer.alloc(32).toString('base64')}`)],
    event: { ...event, createdAt: at, requestId: null, traceparent: null },
  };
  const deps = {
    ...{ sender, secretBox: opens, links: createMediaLinks('https://api.example.com', keys) },
    ...{ now: () => at, log: createLogger({ service: 'test', level: 'silent' }), db: {} as Database },
  };
  try {
    expect(await deliver(deps, delivery)).toMatchObject({ isTaken: false, isSent });
  } finally {
    await sender.close();
  }
});
