import { ApiError } from '@hookline/shared/contracts';
import { disableWorkOfKey as disableWork, withdrawSchedulesOfKey } from '@hookline/shared/contracts/internal';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { bareCaller } from '@hookline/shared/http';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';

export type DisabledWork = {
  automationIds: string[];
  webhookIds: string[];
  scheduleIds: string[];
  /** More schedules wait than one call withdraws. */
  more: boolean;
};

export async function disableWorkOfKey(
  { db, now, peers, changes }: Pick<IdentityDeps, 'db' | 'now' | 'peers' | 'changes'>,
  by: By,
  { accountId, id, scopes }: { accountId: string; id: string; scopes: readonly Scope[] },
): Promise<DisabledWork> {
  const caller = bareCaller({ accountId, keyId: null, userId: by.actor.id, scopes: [] });
  // Covers the waits for locks and the work after them: what was not heard of is in no audit row.
  const asked = { caller, timeoutMs: 15_000 };
  const [work, waiting] = await Promise.allSettled([
    peers.call(disableWork, {
      ...asked,
      body: {
        keyId: id,
        automations: scopes.includes('automations:write'),
        webhooks: scopes.includes('webhooks:write'),
      },
    }),
    scopes.includes('schedules:write')
      ? peers.call(withdrawSchedulesOfKey, { ...asked, body: { keyId: id } })
      : { scheduleIds: [], more: false },
  ]);
  const disabled: DisabledWork = {
    ...(work.status === 'fulfilled' ? work.value : { automationIds: [], webhookIds: [] }),
    ...(waiting.status === 'fulfilled' ? waiting.value : { scheduleIds: [], more: true }),
  };
  const { automationIds, webhookIds, scheduleIds } = disabled;
  if (automationIds.length + webhookIds.length + scheduleIds.length > 0) {
    const subject = { kind: 'key' as const, id };
    const detail = { automationIds, webhookIds, scheduleIds };
    await db.transaction(tx =>
      insertAudit({ tx, by, now: now() }, { accountId, action: 'key.work_disabled', subject, detail }),
    );
  }
  for (const resourceId of automationIds) changes.add({ accountId, kind: 'automation', resourceId });
  for (const resourceId of webhookIds) changes.add({ accountId, kind: 'webhook', resourceId });
  for (const resourceId of scheduleIds) changes.add({ accountId, kind: 'schedule', resourceId });
  const failed = [work, waiting].find(({ status }) => status === 'rejected');
  if (failed) {
    const message = 'The key is revoked. Not all that it made could be disabled; repeat the request.';
    const { reason: cause } = failed as PromiseRejectedResult;
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 1, cause });
  }
  return disabled;
}
