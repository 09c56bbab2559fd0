import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/webhooks';
import type { Caller } from '@hookline/shared/http';
import { answerText, jsonHeaders, RawAnswer, replayAnswer, routeOf } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { claimKey, claimOrWait, completeKey } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { testTimeoutMs } from '../receivers/sender.ts';
import { findWebhook } from '../webhooks/queries.ts';
import { sendTestEvent } from './attempt.ts';

// A lease covers the request to the receiver and the statements around it.
const keyLeaseMs = testTimeoutMs + 15_000;

/**
 * A sent event cannot be taken back, so with a key the event id is stored before sending: a repeat after a
 * crash sends the same event, which the receiver can recognize.
 */
export async function testWebhook(
  deps: AutomationDeps,
  caller: Caller,
  { id, idempotencyKey }: { id: string; idempotencyKey: string | null },
): Promise<RawAnswer> {
  const { db, now } = deps;
  const resourceId = newId('event', now().getTime());
  if (idempotencyKey === null) {
    const webhook = await findWebhook(db, caller.accountId, id);
    if (!webhook) throw notFound('webhook');
    return answer(textOf(await sendTestEvent(deps, webhook, resourceId)));
  }
  const scope = {
    accountId: caller.accountId,
    route: routeOf(contracts.testWebhook, { id }),
    key: idempotencyKey,
  };
  const claim = await claimOrWait(db, async tx => {
    const claimed = await claimKey(tx, {
      ...scope,
      body: undefined,
      resourceId,
      leaseMs: keyLeaseMs,
      now: now(),
    });
    if (claimed.kind !== 'claimed') return claimed;
    const webhook = await findWebhook(tx, caller.accountId, id);
    if (!webhook) throw notFound('webhook');
    return { ...claimed, webhook };
  });
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  const text = textOf(await sendTestEvent(deps, claim.webhook, claim.resourceId));
  await db.transaction(tx => completeKey(tx, claim.lease, { status: 200, body: text }));
  return answer(text);
}

function textOf(attempt: Awaited<ReturnType<typeof sendTestEvent>>): string {
  return answerText(contracts.testWebhook, { data: attempt });
}

function answer(text: string): RawAnswer {
  return new RawAnswer(200, text, jsonHeaders);
}
