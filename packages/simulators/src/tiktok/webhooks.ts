import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { defaultDelayMs } from '../faults/faults.ts';
import { pause, type World } from '../world.ts';
import { bareNumber } from './ids.ts';
import type { Share } from './share.ts';
import { getClient, type WebhookDelivery } from './state.ts';

// TikTok retries for up to 72 hours with growing waits.
const retryForMs = 72 * 3_600_000;
const retryDelayMaxMs = 3_600_000;
const answerTimeoutMs = 10_000;
const waitingMax = 10_000;

// One receiver in practice; a burst of a thousand events must not open a thousand connections.
const agent = new Agent({ connections: 16, keepAliveTimeout: 2000, connectTimeout: 5000 });

type Extra = { reason?: string; postId?: string };

/** Queues a `post.publish.*` webhook. `post_id` is sent as a bare number inside the inner JSON string. */
export function emitPublish(world: World, share: Share, event: string, extra: Extra = {}): void {
  const content = JSON.stringify({
    publish_id: share.publishId,
    publish_type: share.mode === 'MEDIA_UPLOAD' ? 'INBOX_SHARE' : 'DIRECT_POST',
    ...(extra.reason === undefined ? {} : { reason: extra.reason }),
    ...(extra.postId === undefined ? {} : { post_id: bareNumber(extra.postId) }),
  });
  emit(world, share.username, event, content);
}

/** Queues `authorization.removed` with TikTok's reason number (0 to 5). */
export function emitAuthorizationRemoved(world: World, username: string, reason: number): void {
  emit(world, username, 'authorization.removed', JSON.stringify({ reason }));
}

/** Resumes the deliveries that a stop or kill left pending. */
export function resumeWebhooks(world: World): void {
  for (const delivery of world.tiktok.webhooks.values()) schedule(world, delivery);
}

function emit(world: World, username: string, event: string, content: string): void {
  if (getClient(world.tiktok).webhookUrl === null) return;
  const fault = world.faults.draw('tiktok', 'webhook');
  if (fault?.kind === 'lost') return;
  const now = world.now();
  const body = JSON.stringify({
    client_key: world.settings.clientKey,
    event,
    create_time: Math.floor(now / 1000),
    user_openid: world.tiktok.creators.get(username)?.openId ?? '',
    content,
  });
  const nextAt = fault?.kind === 'late' ? now + (fault.delayMs ?? defaultDelayMs) : now;
  for (let copies = fault?.kind === 'duplicated' ? 2 : 1; copies > 0; copies -= 1) {
    enqueue(world, { id: randomUUID(), event, body, attempts: 0, nextAt, firstAt: now });
  }
}

function enqueue(world: World, delivery: WebhookDelivery): void {
  const { webhooks } = world.tiktok;
  webhooks.put(delivery.id, delivery);
  webhooks.trim(waitingMax);
  schedule(world, delivery);
}

function schedule(world: World, delivery: WebhookDelivery): void {
  void pause(world, delivery.nextAt - world.now()).then(() => attempt(world, delivery.id));
}

async function attempt(world: World, id: string): Promise<void> {
  const delivery = world.tiktok.webhooks.get(id);
  const { webhookUrl } = getClient(world.tiktok);
  if (delivery === undefined || world.stopped.signal.aborted) return;
  const isTaken = webhookUrl !== null && (await send(world, webhookUrl, delivery.body));
  // A reset or close may have happened during the await.
  if (world.stopped.signal.aborted || world.tiktok.webhooks.get(id) === undefined) return;
  const now = world.now();
  if (isTaken || webhookUrl === null || now - delivery.firstAt > retryForMs) {
    world.tiktok.webhooks.remove(id);
    return;
  }
  const delayMs = Math.min(world.settings.webhookRetryMs * 2 ** delivery.attempts, retryDelayMaxMs);
  const next = { ...delivery, attempts: delivery.attempts + 1, nextAt: now + delayMs };
  world.tiktok.webhooks.put(id, next);
  schedule(world, next);
}

// The timestamp and signature are those of the attempt; only 200 counts as accepted.
async function send(world: World, webhookUrl: string, body: string): Promise<boolean> {
  const seconds = Math.floor(world.now() / 1000);
  const signature = createHmac('sha256', world.settings.clientSecret)
    .update(`${seconds}.${body}`)
    .digest('hex');
  try {
    const answer = await request(webhookUrl, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'tiktok-signature': `t=${seconds},s=${signature}` },
      body,
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      signal: world.stopped.signal,
    });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}
