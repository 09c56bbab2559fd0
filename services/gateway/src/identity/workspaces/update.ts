import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import * as internal from '@hookline/shared/contracts/internal';
import { bareCaller } from '@hookline/shared/http';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { renewKeys } from '../keys/renew.ts';
import { toWorkspaceId } from '../standing/workspace.rules.ts';
import { mergePolicy, type PolicyChange } from './approval-policy.rules.ts';
import {
  claimSendingAsked,
  clearSendingAsked,
  lockWorkspace,
  markSendingAsked,
  updateWorkspace as writeWorkspace,
} from './queries.ts';
import type { WorkspaceRow } from './record.ts';

type PeerDeps = Pick<IdentityDeps, 'db' | 'peers'>;

export type WorkspaceChange = {
  name?: string | undefined;
  timezone?: string | undefined;
  approvalPolicy?: PolicyChange | undefined;
  sendingPaused?: boolean | undefined;
};

/**
 * Changes a workspace. When it resolves, no gateway admits a key under the old policy, and no new post of a
 * workspace that is paused begins.
 */
export async function updateWorkspace(
  deps: IdentityDeps,
  by: By,
  { accountId, ...change }: WorkspaceChange & { accountId: string },
): Promise<WorkspaceRow> {
  const { name, timezone, approvalPolicy, sendingPaused } = change;
  const now = deps.now();
  if (sendingPaused !== undefined) await markSendingAsked(deps.db, accountId, now);
  const { row, asks } = await deps.db.transaction(async tx => {
    const before = await lockWorkspace(tx, accountId);
    const policy = mergePolicy(before.approvalPolicy, approvalPolicy ?? {});
    const policies = [before.approvalPolicy, policy];
    // A workspace is never said to ask for confirmations while automations approve without them.
    if (approvalPolicy && asksFor(policy)) await askForConfirmations(deps, by, accountId, policies);
    // Asked before the audit log is locked, which every sign-in of the workspace locks.
    if (sendingPaused) await switchSending(deps, accountId, true);
    const after = {
      accountId,
      name: name ?? before.name,
      timezone: timezone ?? before.timezone,
      approvalPolicy: policy,
      sendingPaused: sendingPaused ?? before.sendingPaused,
    };
    if (approvalPolicy) {
      const detail = { from: before.approvalPolicy, to: policy };
      await insertAudit(
        { tx, by, now },
        {
          accountId,
          action: 'policy.changed',
          subject: { kind: 'workspace', id: toWorkspaceId(accountId) },
          detail,
        },
      );
    }
    if (sendingPaused !== undefined) {
      const action = sendingPaused ? 'sending.paused' : 'sending.resumed';
      const subject = { kind: 'workspace' as const, id: toWorkspaceId(accountId) };
      await insertAudit({ tx, by, now }, { accountId, action, subject });
    }
    return { row: await writeWorkspace(tx, after, now), asks: policies.some(asksFor) };
  });
  if (approvalPolicy) await renewKeys(deps, accountId, null);
  if (approvalPolicy && asks) await settleConfirmations(deps, by, accountId);
  if (sendingPaused === false) await settleSending(deps, accountId);
  return row;
}

/**
 * Runs after the change, so that a workspace is never said to be paused while scheduling sends. It sends the state that
 * is stored: another owner may have paused the workspace since, and a resumption that timed out may have arrived after
 * that pause.
 */
async function settleSending(deps: PeerDeps, accountId: string): Promise<void> {
  await deps.db.transaction(async tx => {
    const { sendingPaused } = await lockWorkspace(tx, accountId);
    await switchSending(deps, accountId, sendingPaused);
  });
}

// A request that asks scheduling ends before, and its signature is valid for 35 s.
const askedMs = 60_000;

/**
 * Settles what a request may have left open. Only this forgets that one asked: the request itself cannot know
 * whether another began before it and is still to ask.
 * @returns false if nothing is left open
 */
export async function settleSendingOf(deps: Pick<IdentityDeps, 'db' | 'peers' | 'now'>): Promise<boolean> {
  const now = deps.now();
  const accountId = await claimSendingAsked(deps.db, new Date(now.getTime() - askedMs), now);
  if (accountId === null) return false;
  await settleSending(deps, accountId);
  await clearSendingAsked(deps.db, accountId, now);
  return true;
}

/** The workspace's lock is held meanwhile: two owners who switch at once leave both services with one answer. */
async function switchSending({ peers }: PeerDeps, accountId: string, isPaused: boolean): Promise<void> {
  const caller = bareCaller({ accountId, keyId: null, userId: null, scopes: [] });
  await peers.call(internal.setSendingPaused, { body: { isPaused }, caller });
}

/**
 * Runs after the change commits, so that automations made in between are not missed; repeating the request repeats it.
 * It sends the current policy, which another owner may have changed since.
 */
async function settleConfirmations(deps: PeerDeps, by: By, accountId: string): Promise<void> {
  await deps.db.transaction(async tx => {
    const { approvalPolicy } = await lockWorkspace(tx, accountId);
    await askForConfirmations(deps, by, accountId, [approvalPolicy]);
  });
}

/** Asks for what any of the policies asks for. */
async function askForConfirmations(
  { peers }: PeerDeps,
  by: By,
  accountId: string,
  policies: readonly ApprovalPolicy[],
): Promise<void> {
  const caller = bareCaller({ accountId, keyId: null, userId: by.actor.id, scopes: [] });
  const body = { isAsked: policies.some(asksForOthers), ofKeys: policies.some(asksForPeople) };
  await peers.call(internal.askForConfirmations, { body, caller });
}

const asksForOthers = ({ selfApproval }: ApprovalPolicy): boolean => !selfApproval;
const asksForPeople = ({ approvers }: ApprovalPolicy): boolean => approvers === 'people_only';
const asksFor = (policy: ApprovalPolicy): boolean => asksForOthers(policy) || asksForPeople(policy);
