import { ApiError } from '@hookline/shared/contracts';
import type { Automation, UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Caller } from '@hookline/shared/http';
import { isPersonMissing } from '@hookline/shared/http/authority';

/** The fields of an automation that decide and publish without a person. */
export type Powers = Pick<Automation, 'approvalMode' | 'postingMode'>;

const messages = {
  'content:approve': 'approvalMode "auto" needs a key with the scope content:approve.',
  'schedules:publish': 'postingMode "publish" needs a key with the scope schedules:publish.',
} as const satisfies Partial<Record<Scope, string>>;

/**
 * Whoever makes, changes or runs an automation needs the scopes that its firings use, beside
 * `automations:write` (D-66): a new brief on an automation that approves and publishes is a
 * post nobody else looks at.
 * @param automation as it is after the change.
 * @throws ApiError `missing_scope`
 */
export function requirePowers({ scopes }: { scopes: readonly Scope[] }, automation: Powers): void {
  const needed: (keyof typeof messages)[] = [];
  if (automation.postingMode === 'publish') needed.push('schedules:publish');
  if (automation.approvalMode === 'auto') needed.push('content:approve');
  const missing = needed.find(scope => !scopes.includes(scope));
  if (missing) throw new ApiError('missing_scope', messages[missing]);
}

/**
 * Under `approvers: "people_only"` only a person leaves an automation in `approvalMode: "auto"`, by creating
 * or by changing it: its next decks are approved by nobody else. Running one is no decision.
 * @param automation as it is after the change.
 * @throws ApiError `missing_scope`
 */
export function requirePersonForAuto(
  caller: Pick<Caller, 'actor' | 'approvalPolicy'>,
  { approvalMode }: Pick<Powers, 'approvalMode'>,
): void {
  if (approvalMode !== 'auto' || !isPersonMissing(caller)) return;
  throw new ApiError(
    'missing_scope',
    'The approval policy of this workspace is approvers "people_only": a person must set approvalMode "auto", or change an automation that has it, not a key.',
  );
}

/** A change that only pauses uses no powers, so everyone who may change automations may stop one. */
export function isPauseOnly(change: UpdateAutomationBody): boolean {
  return change.status === 'paused' && Object.keys(change).length === 1;
}
