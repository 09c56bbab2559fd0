/** This table is the only place that decides which change of a schedule is allowed. */
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Schedule, ScheduleFailure } from '@hookline/shared/contracts/schedules';

export type ScheduleStatus = Schedule['status'];

export type ScheduleState = {
  status: ScheduleStatus;
  failure: Pick<ScheduleFailure, 'code' | 'retryable'> | null;
};

type ChangeName =
  | 'claimed'
  | 'returned'
  | 'requeued'
  | 'handed_over'
  | 'held'
  | 'sent'
  | 'posted'
  | 'failed'
  | 'moved'
  | 'withdrawn'
  | 'retried';

export type Transition = {
  name: ChangeName;
  from: ScheduleStatus;
  /** Null stands for a deleted row. */
  to: ScheduleStatus | null;
  by: 'owner' | 'worker' | 'platform' | 'operator';
  when: string;
  guard?: (state: ScheduleState) => boolean;
};

const isUnknown = ({ failure }: ScheduleState): boolean => failure?.code === 'outcome_unknown';
const isRetryable = ({ failure }: ScheduleState): boolean => failure?.retryable === true;

const transitions: readonly Transition[] = [
  { name: 'moved', from: 'pending', to: 'pending', by: 'owner', when: 'PATCH' },
  { name: 'moved', from: 'due', to: 'pending', by: 'owner', when: 'PATCH' },
  { name: 'withdrawn', from: 'pending', to: null, by: 'owner', when: 'DELETE' },
  { name: 'withdrawn', from: 'due', to: null, by: 'owner', when: 'DELETE' },
  { name: 'posted', from: 'pending', to: 'sent', by: 'owner', when: 'POST posted, ahead of its time' },
  { name: 'posted', from: 'due', to: 'sent', by: 'owner', when: 'POST posted' },
  { name: 'handed_over', from: 'sending', to: 'due', by: 'worker', when: 'a person posts it by phone' },
  { name: 'held', from: 'sending', to: 'pending', by: 'owner', when: 'its content is edited' },
  { name: 'held', from: 'due', to: 'pending', by: 'owner', when: 'its content is edited' },
  {
    name: 'failed',
    from: 'due',
    to: 'failed',
    by: 'owner',
    when: 'the account is deleted, or the content is rejected',
  },
  {
    name: 'failed',
    from: 'due',
    to: 'failed',
    by: 'operator',
    when: 'a restore: the bus has later events of it, or does not reach back to the backup (`outcome_unknown`)',
  },
  {
    name: 'failed',
    from: 'pending',
    to: 'failed',
    by: 'owner',
    when: 'the account is deleted, or a newer version of the content is rejected',
  },
  {
    name: 'failed',
    from: 'pending',
    to: 'failed',
    by: 'operator',
    when: 'a restore: it was due since the backup, or the bus has later events of it (`outcome_unknown`)',
  },
  { name: 'claimed', from: 'pending', to: 'sending', by: 'worker', when: 'it is due' },
  {
    name: 'claimed',
    from: 'sending',
    to: 'sending',
    by: 'worker',
    when: 'the lease of another worker has expired',
  },
  {
    name: 'returned',
    from: 'sending',
    to: 'pending',
    by: 'worker',
    when: 'no call was made: held for a decision, paused, or put off for 30 s or more',
  },
  {
    name: 'failed',
    from: 'sending',
    to: 'failed',
    by: 'worker',
    when: 'it cannot be sent, or it is too late',
  },
  {
    name: 'requeued',
    from: 'sending',
    to: 'pending',
    by: 'platform',
    when: 'the call ended without a post, and the trouble is temporary',
  },
  { name: 'sent', from: 'sending', to: 'sent', by: 'platform', when: 'the call was delivered' },
  {
    name: 'failed',
    from: 'sending',
    to: 'failed',
    by: 'platform',
    when: 'the call failed or was finally refused',
  },
  {
    name: 'failed',
    from: 'sending',
    to: 'failed',
    by: 'operator',
    when: 'a restore: it may have been sent since the backup (`outcome_unknown`)',
  },
  {
    name: 'sent',
    from: 'failed',
    to: 'sent',
    by: 'platform',
    when: 'late news after `outcome_unknown`',
    guard: isUnknown,
  },
  {
    name: 'failed',
    from: 'failed',
    to: 'failed',
    by: 'platform',
    when: 'late news after `outcome_unknown`',
    guard: isUnknown,
  },
  {
    name: 'failed',
    from: 'failed',
    to: 'failed',
    by: 'operator',
    when: 'a restore: it could be retried, and the bus has later events of it (`outcome_unknown`)',
    guard: isRetryable,
  },
  {
    name: 'retried',
    from: 'failed',
    to: 'pending',
    by: 'owner',
    when: 'POST retry, if the failure is retryable',
    guard: isRetryable,
  },
];

export function canChange(name: ChangeName, state: ScheduleState): boolean {
  return transitions.some(
    change => change.name === name && change.from === state.status && (change.guard?.(state) ?? true),
  );
}

/** @throws Error for a change that the callers decided on and the table does not have. */
export function requireTransition(name: ChangeName, state: ScheduleState): void {
  if (!canChange(name, state)) throw new Error(`a schedule that is ${state.status} cannot be ${name}`);
}

/**
 * @throws ApiError `already_scheduled`, `already_sending`, `already_sent`; for a failed schedule
 * `invalid_request`, or `not_postable` if it cannot be retried.
 */
export function requireOwnersChange(
  name: 'moved' | 'withdrawn' | 'posted' | 'retried',
  state: ScheduleState,
): void {
  if (canChange(name, state)) return;
  switch (state.status) {
    case 'pending':
    case 'due':
      throw new ApiError('already_scheduled');
    case 'sending':
      throw new ApiError('already_sending');
    case 'sent':
      throw new ApiError('already_sent');
    case 'failed':
      if (name === 'retried') {
        throw new ApiError('not_postable', 'This failure is final; its message says what to change first.');
      }
      throw invalidRequest(`id must be the id of a pending schedule; this one failed and cannot be ${name}`);
  }
}

/** One of its calls may be open, and its outcome will end the schedule. */
export function awaitsOutcome({ status }: ScheduleState): boolean {
  return status === 'sending';
}

/** A report about its last call replaces the end of such a schedule. */
export function isGivenUp(state: ScheduleState): boolean {
  return state.status === 'failed' && isUnknown(state);
}

/** Content's permit ends with this outcome; null while the schedule is being sent. */
export function permitOutcome(status: ScheduleStatus | null): 'sent' | 'failed' | null {
  if (status === 'sending') return null;
  return status === 'sent' ? 'sent' : 'failed';
}
