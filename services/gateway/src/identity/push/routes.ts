import { invalidRequest } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/push';
import { readTarget } from '@hookline/shared/http/target';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute } from '../sessions/own-route.ts';
import type { SessionRow } from '../sessions/record.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { isReceiver } from './encrypt.rules.ts';
import { deleteSubscription, findChoice, saveSubscription } from './queries.ts';

/** What the person of the session chose, and whether its browser takes notifications. */
export async function readPush(
  { db, push }: Pick<IdentityDeps, 'db' | 'push'>,
  accountId: string,
  { userId, id: sessionId }: SessionRow,
): Promise<contracts.Push> {
  const choice = await findChoice(db, { accountId, userId, sessionId });
  return { publicKey: await push.vapid.publicKey(), ...choice };
}

export function addPushRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnRoute(app, contracts.subscribePush, async ({ caller, body, request }) => {
    const session = sessionOf(request);
    const { endpoint } = body;
    readTarget('endpoint', endpoint, deps.push.targets);
    const p256dh = Buffer.from(body.keys.p256dh, 'base64url');
    const auth = Buffer.from(body.keys.auth, 'base64url');
    if (!isReceiver({ p256dh, auth }))
      throw invalidRequest(
        'keys must be those of a PushSubscription: p256dh a point on P-256 (65 bytes), auth 16 bytes',
      );
    const found = { sessionId: session.id, endpoint, p256dh, auth, now: deps.now() };
    await deps.db.transaction(tx => saveSubscription(tx, found));
    return { data: await readPush(deps, caller.accountId, session) };
  });

  addOwnRoute(app, contracts.unsubscribePush, async ({ caller, request }) => {
    const session = sessionOf(request);
    await deleteSubscription(deps.db, session.id);
    return { data: await readPush(deps, caller.accountId, session) };
  });
}
