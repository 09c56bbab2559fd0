import { ApiError, errorBody } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/schedules';
import { addRoute, addWriteRoute, answerText, jsonHeaders, RawAnswer } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { beginConnect, requireApp } from './begin.ts';
import { callbackPage, finishPage, tooLate } from './callback-page.ts';
import { finishConnect } from './finish.ts';
import { receiveCode } from './receive-code.ts';

export function addConnectRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addWriteRoute(app, deps, contracts.connectTiktok, {
    prepare: ({ body, caller }) => requireApp(deps, caller, body.appId ?? null),
    async write(tx, { body, caller }) {
      const { appId = null, returnTo = null } = body;
      const begun = await beginConnect(deps, tx, { caller, appId, returnTo });
      return { data: { ...begun, expiresAt: begun.expiresAt.toISOString() } };
    },
    // Anyone with the state can connect an account: the connection keeps its digest, the record keeps it
    // sealed.
    keep: (answer, { caller }) =>
      deps.secretBox.seal(answerText(contracts.connectTiktok, answer), caller.accountId),
    restore: ({ body }, { caller }) => deps.secretBox.open(body, caller.accountId),
  });

  addRoute(app, contracts.tiktokCallback, async ({ query, request, requestId }) => {
    const wantsJson = /\bapplication\/json\b/i.test(request.headers.accept ?? '');
    if (request.method === 'HEAD') return callbackPage(200, 'Connecting', '');
    const refuse = (error: unknown, returnTo: string | null) => {
      if (wantsJson || !(error instanceof ApiError)) throw error;
      const message = error.status === 400 ? tooLate : errorBody(error, requestId).error.message;
      return callbackPage(error.status, 'Not connected', message, returnTo);
    };
    try {
      const returned = await receiveCode(deps, query);
      if (returned.refusal) return refuse(returned.refusal, returned.returnTo);
      const { state, expiresAt, returnTo } = returned;
      if (!wantsJson) return finishPage(state, returnTo);
      const data = { status: 'waiting', state, expiresAt: expiresAt.toISOString() };
      return new RawAnswer(200, JSON.stringify({ data }), jsonHeaders);
    } catch (error) {
      return refuse(error, '/console/');
    }
  });

  addRoute(app, contracts.finishTiktok, ({ body, caller, idempotencyKey }) =>
    finishConnect(deps, { caller, state: body.state, idempotencyKey }),
  );
}
