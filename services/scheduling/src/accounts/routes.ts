import { ApiError } from '@hookline/shared/contracts';
import * as internal from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/schedules';
import { addInternalRoute, addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { deleteAccount } from './delete.ts';
import { findPlatformAccount, listPlatformAccounts } from './queries.ts';
import { toAccount } from './record.ts';

export function addAccountRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, contracts.listAccounts, async ({ query, caller }) => {
    const page = readPage(query);
    const rows = await listPlatformAccounts(deps.db, { ...query, accountId: caller.accountId }, page);
    return toPage(rows, page, toAccount);
  });

  addRoute(app, contracts.deleteAccount, async ({ params, caller }) => {
    await deleteAccount(deps, caller, params.id);
    return { data: { id: params.id, deleted: true as const } };
  });

  addInternalRoute(app, internal.findPlatformAccount, async ({ params, call }) => {
    if (!call.caller) throw new ApiError('unauthorized');
    const row = await findPlatformAccount(deps.db, call.caller.accountId, params.id ?? '');
    if (!row) return { account: null };
    const { id, appId, kind, status, privacyLevels } = row;
    return { account: { id, appId, kind, status, privacyLevels } };
  });
}
