import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { CreateAutomationBody } from '@hookline/shared/contracts/automations';
import { findApp, findPlatformAccount } from '@hookline/shared/contracts/internal';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import { byOf, type Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { nextSlot } from '@hookline/shared/kernel/posting-times';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { confirmationAfter } from './confirmation.rules.ts';
import {
  briefForFirings,
  moveOn,
  type Posting,
  postingOf,
  requireLevel,
  requireMode,
  requireOneTopic,
  requireTimezone,
} from './plan-fields.rules.ts';
import { requirePersonForAuto, requirePowers } from './powers.rules.ts';
import { insertAutomation, lockCountOfAutomations } from './queries.ts';
import type { AutomationRow } from './record.ts';

// An account has no more (D-67): the same workers settle the due slots of all accounts.
const automationsMax = 100;

export async function planAutomation(
  deps: AutomationDeps,
  caller: Caller,
  body: CreateAutomationBody,
): Promise<AutomationRow> {
  const timezone = body.timezone ?? 'UTC';
  requireTimezone(timezone);
  const posting = postingOf(body.postingMode ?? 'drafts', body.privacyLevel);
  const approvalMode = body.approvalMode ?? 'manual';
  requirePowers(caller, { ...posting, approvalMode });
  requirePersonForAuto(caller, { approvalMode });
  await requireAppAndAccount(deps, caller, { ...body, ...posting });
  const now = deps.now();
  const plan = { postingTimes: body.postingTimes, timezone };
  const brief = briefForFirings(body.format, body.brief);
  const topics = body.topics ?? [];
  requireOneTopic({ brief, topics }, 'topics');
  const first = nextSlot(plan, now);
  const automation: AutomationRow = {
    id: newId('automation', now.getTime()),
    accountId: caller.accountId,
    appId: body.appId,
    tiktokAccountId: body.tiktokAccountId,
    format: body.format,
    ...plan,
    brief,
    topics,
    topicIndex: 0,
    until: body.until === undefined ? null : new Date(body.until),
    maxFirings: body.maxFirings ?? null,
    firingsMade: 0,
    approvalMode,
    ...posting,
    status: 'active',
    nextFireAt: null,
    nothingNewSince: null,
    createdBy: byOf(caller),
    ...readOwnFields(body),
    ...confirmationAfter(caller, null, { brief, topics, approvalMode }),
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const planned = moveOn(automation, first);
  if (planned.status === 'ended') {
    throw invalidRequest(`until must not be before the first slot, which is ${first.toISOString()}`);
  }
  return planned;
}

export async function createAutomation(
  tx: Transaction,
  { keyId }: Pick<Caller, 'keyId'>,
  planned: AutomationRow,
): Promise<AutomationRow> {
  if ((await lockCountOfAutomations(tx, planned.accountId)) >= automationsMax) {
    throw invalidRequest(
      `appId cannot get another automation: an account has at most ${automationsMax}; delete one`,
    );
  }
  await insertAutomation(tx, planned, keyId);
  return planned;
}

async function requireAppAndAccount(
  { peers }: AutomationDeps,
  caller: Caller,
  target: Pick<CreateAutomationBody, 'appId' | 'tiktokAccountId'> & Posting,
): Promise<void> {
  const { appId, tiktokAccountId, privacyLevel, postingMode } = target;
  const [app, { account }] = await Promise.all([
    peers.call(findApp, { params: { id: appId }, body: {}, caller }),
    peers.call(findPlatformAccount, { params: { id: tiktokAccountId }, body: {}, caller }),
  ]);
  if (!app.exists) throw notFound('app');
  if (!account) throw new ApiError('account_not_found');
  if (account.appId !== null && account.appId !== appId) {
    throw new ApiError(
      'cross_app',
      'The platform account posts for a different app than this automation; choose an account of appId or of none.',
    );
  }
  requireLevel(privacyLevel, account.privacyLevels);
  requireMode(postingMode, account);
}
