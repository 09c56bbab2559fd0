/** Under `selfApproval: false` another person confirms the brief and topics of an automation that approves by itself. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import { authorOf, isPersonMissing } from '@hookline/shared/http/authority';
import type { AutomationRow } from './record.ts';

type Confirmation = Pick<AutomationRow, 'authorId' | 'confirmedBy' | 'awaitsConfirmation'>;

/** @param before null for a new automation */
export function confirmationAfter(
  caller: Pick<Caller, 'actor' | 'approvalPolicy'>,
  before: (Confirmation & Pick<AutomationRow, 'brief' | 'topics'>) | null,
  { brief, topics, approvalMode }: Pick<AutomationRow, 'brief' | 'topics' | 'approvalMode'>,
): Confirmation {
  const { authorId, confirmedBy, awaitsConfirmation } =
    before && isDeepStrictEqual([before.brief, before.topics], [brief, topics])
      ? before
      : { authorId: authorOf(caller), confirmedBy: null, awaitsConfirmation: false };
  // A policy may ask for the work of keys alone, and whoever changes something else confirms nothing.
  const isAsked = awaitsConfirmation || !caller.approvalPolicy.selfApproval;
  const isRequired = approvalMode === 'auto' && isAsked;
  return { authorId, confirmedBy, awaitsConfirmation: isRequired && confirmedBy === null };
}

export function requireConfirmer(
  caller: Pick<Caller, 'actor' | 'approvalPolicy'>,
  { authorId, updatedAt }: Pick<AutomationRow, 'authorId' | 'updatedAt'>,
  seen: string | undefined,
): void {
  const { requireVersion } = caller.approvalPolicy;
  if (isPersonMissing(caller)) {
    const message =
      'The approval policy of this workspace is approvers "people_only": a person must confirm the brief of an automation, not a key.';
    throw new ApiError('missing_scope', message);
  }
  if (!caller.approvalPolicy.selfApproval && authorOf(caller) === authorId) {
    const message =
      'Another person must confirm the brief of this automation: you were the last to change it, with a key or in person.';
    throw new ApiError('missing_scope', message);
  }
  if (seen === undefined && requireVersion) {
    throw invalidRequest(
      'updatedAt is required by the approval policy of this workspace and must be that of the automation that you looked at',
    );
  }
  if (seen !== undefined && new Date(seen).getTime() !== updatedAt.getTime()) {
    const message = `updatedAt is ${seen}, but the automation was changed at ${updatedAt.toISOString()}; look at it first.`;
    throw new ApiError('not_ready', message);
  }
}
