import type { Content, Schedule } from '../types.ts';

/** Where a deck is on its way to a post, with the record that says so. */
export type Stage =
  | { is: 'writing' | 'failed' | 'pending' | 'changes' | 'rejected' | 'approved' }
  | {
      is: 'scheduled' | 'held' | 'sending' | 'due' | 'published' | 'drafts' | 'sendFailed';
      schedule: Schedule;
    };

/** @param schedules of the deck, newest first */
export function stageOf(content: Content, schedules: readonly Schedule[]): Stage {
  if (content.status === 'queued' || content.status === 'running') return { is: 'writing' };
  if (content.status === 'failed') return { is: 'failed' };
  const sending = schedules.find(({ status }) => status === 'sending');
  if (sending) return { is: 'sending', schedule: sending };
  const due = schedules.find(({ status }) => status === 'due');
  if (due) return { is: 'due', schedule: due };
  const waiting = schedules.find(({ status }) => status === 'pending');
  if (waiting) return { is: content.approvalStatus === 'approved' ? 'scheduled' : 'held', schedule: waiting };
  if (content.changesRequested) return { is: 'changes' };
  if (content.approvalStatus !== 'approved') return { is: content.approvalStatus };
  const last = schedules[0];
  if (last?.status === 'failed') return { is: 'sendFailed', schedule: last };
  if (last?.status === 'sent') {
    return { is: last.outcome === 'sent_to_drafts' ? 'drafts' : 'published', schedule: last };
  }
  return { is: 'approved' };
}

const ofStatus = {
  pending: 'scheduled',
  due: 'due',
  sending: 'sending',
  sent: 'published',
  failed: 'sendFailed',
} as const;

/** Where one post of a deck is. */
export function stageOfSchedule({ status, waitsBecause, outcome }: Schedule): Stage['is'] {
  if (waitsBecause === 'approval') return 'held';
  return outcome === 'sent_to_drafts' ? 'drafts' : ofStatus[status];
}

export const isOut = ({ is }: Stage): boolean => is === 'sending' || is === 'published' || is === 'drafts';

export type Advice = 'reconnect' | 'retry' | 'look' | 'schedule' | 'elsewhere' | 'operator' | 'edit';

const connections = ['account_not_connected', 'account_needs_reauth'];

/** What helps against a failure. */
export function adviceFor({ failure }: Schedule): Advice {
  const { code = '', category, retryable } = failure ?? {};
  if (connections.includes(code)) return 'reconnect';
  if (retryable) return 'retry';
  if (category === 'outcome_unknown') return 'look';
  if (code === 'invalid_privacy_level') return 'schedule';
  if (category === 'account') return 'elsewhere';
  return category === 'internal' ? 'operator' : 'edit';
}
