import type { Schedule, ScheduleFailure } from '@hookline/shared/contracts/schedules';

export type FiringAnswerRow = {
  firingId: string;
  id: string | null;
  contentId: string | null;
  status: Schedule['status'] | null;
  failure: ScheduleFailure | null;
  request: 'none' | 'waiting' | 'answered';
};

export function toFiringAnswer(row: FiringAnswerRow | undefined) {
  if (!row) return { schedule: null, request: 'none' as const };
  const { id, contentId, status, failure, request } = row;
  if (id === null || contentId === null || status === null) return { schedule: null, request };
  return { schedule: { id, contentId, status, failure }, request };
}
