/** Finds the events that a firing missed, from the current state of its content and its schedule. */

import type { Schedule } from '@hookline/shared/contracts/schedules';
import { dayMs } from '@hookline/shared/kernel/durations';
import { type Failure, type FiringStatus, reasonOf, unknownFailure } from './firing.rules.ts';

export type OpenFiring = {
  status: FiringStatus;
  contentId: string | null;
  scheduleId: string | null;
  scheduleRequestedAt: Date | null;
  createdAt: Date;
};

/** `content` and `schedule` are as their services answer them. */
export type FiringFacts = {
  content: {
    id: string;
    status: 'queued' | 'running' | 'ready' | 'failed';
    approvalStatus: 'pending' | 'approved' | 'rejected';
    decidedAt: Date | null;
    error: Failure | null;
    waitsBecause?: string | null | undefined;
  } | null;
  schedule: {
    id: string;
    contentId: string;
    status: Schedule['status'];
    failure: Failure | null;
  } | null;
  request: 'none' | 'waiting' | 'answered';
};

export type MissedNews =
  | { kind: 'none' }
  | { kind: 'generation'; failure: Failure | null }
  | { kind: 'approval' }
  | { kind: 'rejection' }
  | { kind: 'schedule'; status: 'scheduled' | 'done' | 'failed'; reason: string | null }
  | { kind: 'fire_again' }
  | { kind: 'request_again' }
  | { kind: 'over'; status: 'failed' | 'skipped'; reason: string };

// Within this time the post is late but still expected. After it a person must decide.
const repeatedWithinMs = dayMs;

export function missedNews(firing: OpenFiring, facts: FiringFacts, now: Date): MissedNews {
  const { content, schedule, request } = facts;
  const isFresh = (since: Date): boolean => now.getTime() - since.getTime() < repeatedWithinMs;
  if (schedule) return newsOfSchedule(firing, schedule);
  if (firing.scheduleId !== null)
    return { kind: 'over', status: 'skipped', reason: 'the schedule was deleted' };
  if (firing.scheduleRequestedAt !== null) {
    if (request === 'waiting') return { kind: 'none' };
    if (request === 'none' && isFresh(firing.scheduleRequestedAt)) return { kind: 'request_again' };
    return lost(
      request === 'answered' ? 'the schedule was refused or deleted' : 'its schedule was never made',
    );
  }
  if (!content)
    return isFresh(firing.createdAt) ? { kind: 'fire_again' } : lost('its content was never made');
  if (content.status === 'failed') {
    return { kind: 'generation', failure: content.error ?? unknownFailure };
  }
  if (content.status !== 'ready') return { kind: 'none' };
  if (content.approvalStatus === 'rejected') return { kind: 'rejection' };
  if (content.approvalStatus === 'approved') {
    return isFresh(content.decidedAt ?? firing.createdAt)
      ? { kind: 'approval' }
      : lost('its approval was not heard of');
  }
  // `generated` says that the content is approved automatically; one with a reason to wait is not.
  const isUnheard =
    firing.status === 'fired' || (firing.status === 'generated' && (content.waitsBecause ?? null) !== null);
  return isUnheard ? { kind: 'generation', failure: null } : { kind: 'none' };
}

function newsOfSchedule(firing: OpenFiring, schedule: NonNullable<FiringFacts['schedule']>): MissedNews {
  if (schedule.status === 'sent') return { kind: 'schedule', status: 'done', reason: null };
  if (schedule.status === 'failed') {
    return { kind: 'schedule', status: 'failed', reason: reasonOf(schedule.failure ?? unknownFailure) };
  }
  if (firing.status === 'scheduled') return { kind: 'none' };
  return { kind: 'schedule', status: 'scheduled', reason: null };
}

function lost(what: string): MissedNews {
  return { kind: 'over', status: 'failed', reason: `internal_error: ${what}, and the news of it was lost` };
}
