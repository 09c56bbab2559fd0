import type { HooklineEvent } from '@hookline/shared/events';
import {
  accountDisconnected,
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
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import {
  type FactContext,
  pauseForAccount,
  recordGeneration,
  recordRejection,
  recordSchedule,
  requestSchedule,
} from './advance.ts';
import { type Failure, reasonOf, unknownFailure } from './firing.rules.ts';

type ScheduleStatus = Parameters<typeof recordSchedule>[1]['status'];

function reasonFor(status: ScheduleStatus, failure: Failure | null): string | null {
  if (status === 'failed') return reasonOf(failure ?? unknownFailure);
  return status === 'skipped' ? 'the schedule was deleted' : null;
}

/** The saga of a firing: its content is generated, approved, scheduled and posted. */
export function firingProgressConsumer(deps: Pick<AutomationDeps, 'now'>): Consumer {
  const contextOf = (tx: Transaction, { accountId }: HooklineEvent, firingId: string): FactContext => ({
    tx,
    accountId,
    firingId,
    now: deps.now(),
  });

  const onSchedule = (definition: typeof scheduleCreated, status: ScheduleStatus) =>
    on(
      definition,
      async (tx, event) => {
        const { firingId, schedule } = event.data;
        if (!firingId) return;
        const { contentId, id: scheduleId } = schedule;
        const outcome = { status, contentId, scheduleId, reason: reasonFor(status, schedule.failure) };
        await recordSchedule(contextOf(tx, event, firingId), outcome);
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
          const { automationId, firingId } = origin;
          const failure = job.status === 'failed' ? (job.error ?? unknownFailure) : null;
          const generation = { automationId, contentId: job.resourceId, failure, waitsBecause };
          await recordGeneration(contextOf(tx, event, firingId), generation);
        },
        isOfFiring,
      ),
      on(
        contentApproved,
        async (tx, event) => {
          const { content, origin } = event.data;
          if (!origin) return;
          const { automationId, firingId } = origin;
          const isByItself = content.approval?.by.kind === 'automation';
          const approved = { automationId, contentId: content.id, isByItself };
          await requestSchedule(contextOf(tx, event, firingId), approved);
        },
        isOfFiring,
      ),
      on(
        contentRejected,
        async (tx, event) => {
          const { content, origin } = event.data;
          if (origin) await recordRejection(contextOf(tx, event, origin.firingId), content.id);
        },
        isOfFiring,
      ),
      on(scheduleRejected, async (tx, event) => {
        const { firingId, contentId, automationId, ...refusal } = event.data;
        // It was made while its account was being disconnected, so it was not paused with the others.
        if (refusal.code === 'account_not_found') {
          await pauseForAccount(tx, { accountId: event.accountId, subject: automationId }, deps.now());
        }
        const schedule = { contentId, scheduleId: null, reason: reasonOf(refusal) };
        await recordSchedule(contextOf(tx, event, firingId), { status: 'failed', ...schedule });
      }),
      on(accountDisconnected, (tx, event) => pauseForAccount(tx, event, deps.now())),
      onSchedule(scheduleCreated, 'scheduled'),
      onSchedule(scheduleSentToDrafts, 'done'),
      onSchedule(schedulePublished, 'done'),
      onSchedule(scheduleFailed, 'failed'),
      onSchedule(scheduleDeleted, 'skipped'),
    ],
  };
}
