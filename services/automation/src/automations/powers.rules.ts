import { ApiError } from '@hookline/shared/contracts';
import type { Automation, UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Caller } from '@hookline/shared/http';
import { isPersonMissing } from '@hookline/shared/http/authority';

export type Powers = Pick<Automation, 'approvalMode' | 'postingMode'>;

const messages = {
  'content:approve': 'approvalMode "auto" needs a key with the scope content:approve.',
  'schedules:publish': 'postingMode "publish" needs a key with the scope schedules:publish.',
} as const satisfies Partial<Record<Scope, string>>;

/**
 * Whoever leaves an automation so needs the scopes that its firings use (D-66): a new brief on one that
 * approves and publishes is a post nobody else looks at.
 */
export function requirePowers({ scopes }: { scopes: readonly Scope[] }, automation: Powers): void {
  const needed: (keyof typeof messages)[] = [];
  if (automation.postingMode === 'publish') needed.push('schedules:publish');
  if (automation.approvalMode === 'auto') needed.push('content:approve');
  const missing = needed.find(scope => !scopes.includes(scope));
  if (missing) throw new ApiError('missing_scope', messages[missing]);
}

/**
 * Decks of an automation in `approvalMode: "auto"` are approved by nobody else. Running one is no decision.
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
