import type { HooklineEvent } from '@hookline/shared/events';
import {
  contentApproved,
  contentRejected,
  jobCompleted,
  scheduleCreated,
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleRejected,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import {
  type FiringFact,
  recordGeneration,
  recordRejection,
  recordSchedule,
  requestSchedule,
} from './advance.ts';
import { reasonOf, unknownFailure } from './firing.rules.ts';

/** The saga of a firing (docs/architecture.md): from generated to approved to scheduled to its outcome. */
export function firingProgressConsumer(deps: Pick<AutomationDeps, 'now'>): Consumer {
  const factOf = ({ accountId }: HooklineEvent, firingId: string): FiringFact => ({
    accountId,
    firingId,
    now: deps.now(),
  });

  const ofSchedule = (
    definition: typeof scheduleCreated,
    status: 'scheduled' | 'done' | 'failed' | 'skipped',
  ) =>
    on(
      definition,
      async (tx, event) => {
        const { firingId, schedule } = event.data;
        if (!firingId) return;
        const reasons = {
          scheduled: null,
          done: null,
          failed: reasonOf(schedule.failure ?? unknownFailure),
          skipped: 'the schedule was deleted',
        };
        const ids = { contentId: schedule.contentId, scheduleId: schedule.id };
        await recordSchedule(tx, factOf(event, firingId), status, ids, reasons[status]);
      },
      ({ firingId }) => firingId !== null,
    );
  // Most contents are created by people, not by automations.
  const isOfFiring = ({ origin }: { origin: unknown }): boolean => origin !== null;

  return {
    name: 'firing-progress',
    reactions: [
      on(
        jobCompleted,
        async (tx, event) => {
          const { job, origin, waitsBecause } = event.data;
          if (!origin) return;
          const failure = job.status === 'failed' ? (job.error ?? unknownFailure) : null;
          const fact = factOf(event, origin.firingId);
          await recordGeneration(tx, fact, origin.automationId, job.resourceId, failure, waitsBecause);
        },
        isOfFiring,
      ),
      on(
        contentApproved,
        async (tx, event) => {
          const { content, origin } = event.data;
          if (!origin) return;
          await requestSchedule(tx, factOf(event, origin.firingId), origin.automationId, content.id);
        },
        isOfFiring,
      ),
      on(
        contentRejected,
        async (tx, event) => {
          const { content, origin } = event.data;
          if (origin) await recordRejection(tx, factOf(event, origin.firingId), content.id);
        },
        isOfFiring,
      ),
      on(scheduleRejected, async (tx, event) => {
        const { firingId, contentId, ...refusal } = event.data;
        const ids = { contentId, scheduleId: null };
        await recordSchedule(tx, factOf(event, firingId), 'failed', ids, reasonOf(refusal));
      }),
      ofSchedule(scheduleCreated, 'scheduled'),
      ofSchedule(scheduleSentToDrafts, 'done'),
      ofSchedule(schedulePublished, 'done'),
      ofSchedule(scheduleFailed, 'failed'),
      ofSchedule(scheduleDeleted, 'skipped'),
    ],
  };
}
