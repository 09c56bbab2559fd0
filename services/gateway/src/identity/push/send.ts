import { randomBytes } from 'node:crypto';
import { countWaiting, listDue } from '@hookline/shared/contracts/internal';
import { bareCaller } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import { encryptPush } from './encrypt.rules.ts';
import { outcomeOf, type PushText, pushText, waitAfterPush } from './push.rules.ts';
import { claimPushes, deletePush, deleteSubscription, findNextPush, postponePush } from './queries.ts';
import type { PushRow } from './record.ts';

/** An attempt takes less: a process that dies leaves its notifications to another. */
const leaseMs = 60_000;
const atOnce = 20;
/** A push service keeps it so long for a browser that is off. */
const ttlSeconds = 86_400;

/** Sends those that are due, at the same time, so that none waits for the push service of another. */
export async function sendPushes(deps: IdentityDeps): Promise<boolean | Date> {
  const now = deps.now();
  const untilDue = new Date(now.getTime() + leaseMs);
  const due = await claimPushes(deps.db, { now, untilDue, limit: atOnce });
  await Promise.all(due.map(push => sendPush(deps, push)));
  if (due.length > 0) return true;
  const next = await findNextPush(deps.db);
  // The loop sleeps by the machine's clock; the notifications follow the service's.
  return next ? new Date(Date.now() + next.getTime() - now.getTime()) : false;
}

async function sendPush(deps: IdentityDeps, push: PushRow): Promise<void> {
  const { db, log, now } = deps;
  try {
    const text = await write(deps, push);
    if (text === null) return await deletePush(db, push);
    const { status, retryAfterSeconds } = await post(deps, push, text);
    const outcome = outcomeOf(status);
    const logged = { kind: push.kind, attempts: push.attempts, host: new URL(push.endpoint).host, status };
    if (outcome === 'gone') return await deleteSubscription(db, push.sessionId, push.endpoint);
    const waitMs = outcome === 'again' ? waitAfterPush(push.attempts, retryAfterSeconds) : null;
    if (waitMs !== null) return await postponePush(db, push, new Date(now().getTime() + waitMs));
    if (outcome !== 'sent') log.warn(logged, 'a notification could not be sent and was given up');
    await deletePush(db, push);
  } catch (error) {
    log.warn({ err: error, kind: push.kind }, 'a notification could not be sent and is tried again');
    const waitMs = waitAfterPush(push.attempts, 0);
    if (waitMs === null) await deletePush(db, push);
    else await postponePush(db, push, new Date(now().getTime() + waitMs));
  }
}

/** Null when there is nothing to say, or the browser is signed out. */
async function write({ peers, now }: IdentityDeps, push: PushRow): Promise<PushText | null> {
  const { accountId, userId, kind, workspace, isEntered } = push;
  if (workspace === null || push.sessionEndsAt <= now()) return null;
  const caller = bareCaller({ accountId, userId, keyId: null, scopes: ['content:read', 'schedules:read'] });
  const asked = { body: {}, caller };
  const where = { accountId, workspace, isEntered };
  if (kind === 'decks_waiting') {
    const { pending: count } = (await peers.call(countWaiting, asked)).data;
    return count === 0 ? null : pushText(kind, { ...where, count });
  }
  if (kind !== 'post_due') return pushText(kind, { ...where, count: 1 });
  const { data } = await peers.call(listDue, asked);
  return data[0] ? pushText(kind, { ...where, count: data.length, id: data[0].id }) : null;
}

async function post({ push: { vapid, sender } }: IdentityDeps, push: PushRow, text: PushText) {
  const drawn = { salt: randomBytes(16), privateKey: drawPrivateKey() };
  const headers = {
    authorization: await vapid.authorize(push.endpoint),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: push.kind === 'post_due' ? 'high' : 'normal',
    // A newer one takes the place of one that the browser has not seen.
    topic: sha256(text.tag).toString('base64url').slice(0, 32),
  };
  return await sender.post(push.endpoint, headers, encryptPush(JSON.stringify(text), push, drawn));
}

/** Below the order of the curve, with which 32 random bytes could collide but for a chance of 2^-32. */
function drawPrivateKey(): Buffer {
  const bytes = randomBytes(32);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes;
}
