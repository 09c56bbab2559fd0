import { ApiError, errorBody } from '@hookline/shared/contracts';
import { findPlatformAccount as findPlatformAccountRoute } from '@hookline/shared/contracts/internal';
import {
  connectTiktok,
  deleteAccount,
  listAccounts,
  tiktokCallback,
} from '@hookline/shared/contracts/schedules';
import {
  addInternalRoute,
  addRoute,
  addWriteRoute,
  answerText,
  jsonHeaders,
  RawAnswer,
} from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { beginConnect, requireApp } from '../actions/begin-connect.ts';
import { deleteAccount as disconnect } from '../actions/delete-account.ts';
import { finishConnect } from '../actions/finish-connect.ts';
import type { Parts } from '../parts.ts';
import { findPlatformAccount, listPlatformAccounts, toAccount } from '../queries/platform-accounts.ts';
import { callbackPage } from './callback-page.ts';

export function addAccountRoutes(app: FastifyInstance, parts: Parts): void {
  addRoute(app, listAccounts, async ({ query, caller }) => {
    const page = readPage(query);
    const rows = await listPlatformAccounts(parts.db, caller.accountId, query, page);
    return toPage(rows, page, row => row, toAccount);
  });

  addWriteRoute(app, parts, connectTiktok, {
    prepare: ({ body, caller }) => requireApp(parts, caller, body.appId ?? null),
    async write(tx, { body, caller }) {
      const begun = await beginConnect(parts, tx, caller, body.appId ?? null);
      return { data: { ...begun, expiresAt: begun.expiresAt.toISOString() } };
    },
    // The state connects an account to whoever brings it: the connection keeps its digest, the record keeps it sealed.
    keep: (answer, { caller }) => parts.box.seal(answerText(connectTiktok, answer), caller.accountId),
    restore: ({ body }, { caller }) => parts.box.open(body, caller.accountId),
  });

  addRoute(app, tiktokCallback, async ({ query, request, requestId }) => {
    const wantsJson = /\bapplication\/json\b/i.test(request.headers.accept ?? '');
    // A link preview must not use the code up.
    if (request.method === 'HEAD') return callbackPage(200, 'Connecting', '');
    try {
      const account = toAccount(await finishConnect(parts, query));
      return wantsJson
        ? new RawAnswer(200, JSON.stringify({ data: account }), jsonHeaders)
        : callbackPage(200, `@${account.username} is connected`, 'You can close this page.');
    } catch (error) {
      if (wantsJson || !(error instanceof ApiError)) throw error;
      return callbackPage(error.status, 'Not connected', errorBody(error, requestId).error.message);
    }
  });

  addRoute(app, deleteAccount, async ({ params, caller }) => {
    await disconnect(parts, caller.accountId, params.id);
    return { data: { id: params.id, deleted: true as const } };
  });

  addInternalRoute(app, findPlatformAccountRoute, async ({ params, call }) => {
    if (!call.caller) throw new ApiError('unauthorized');
    const row = await findPlatformAccount(parts.db, call.caller.accountId, params.id ?? '');
    if (!row) return { account: null };
    const { id, appId, status, privacyLevels } = row;
    return { account: { id, appId, status, privacyLevels } };
  });
}
