import type { automationScheduleRequested } from '@hookline/shared/events';
import { currentContext } from '@hookline/shared/kernel';
import { deriveId } from '@hookline/shared/kernel/derive-id';
import type { z } from 'zod';
import { wakeRequests } from '../channels.ts';
import type { WriteContext } from '../context.ts';
import { insertScheduleRequest } from './queries.ts';

export async function requestSchedule(
  { tx, now }: WriteContext,
  accountId: string,
  data: z.output<typeof automationScheduleRequested.data>,
): Promise<void> {
  const row = {
    firingId: data.firingId,
    accountId,
    automationId: data.automationId,
    contentId: data.contentId,
    platformAccountId: data.tiktokAccountId,
    scheduledFor: new Date(data.scheduledFor),
    mode: data.mode,
    privacyLevel: data.privacyLevel,
    scheduleId: deriveId('schedule', data.firingId),
    requestId: currentContext()?.requestId ?? null,
    keyIds: data.keyIds ?? [],
  };
  await insertScheduleRequest(tx, row, now);
  wakeRequests(tx);
}
