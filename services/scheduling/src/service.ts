import { makeOnce, type WorkerLoop } from '@hookline/shared/kernel';
import { openWakeUp } from '@hookline/shared/postgres';
import { defineService, type ServiceDefinition } from '@hookline/shared/service';
import { createSender } from './actions/send-schedule.ts';
import { createDatabaseWatch } from './actions/watch-database.ts';
import { openWitnessFile } from './actions/witness-file.ts';
import { ownEvents, ownEventsGroup, ownTopics } from './consumers/own-events.ts';
import { consumers } from './consumers/registry.ts';
import { defaultTimings, type Timings } from './options.ts';
import { createParts, type SchedulingRuntime } from './parts.ts';
import { watchPosting } from './posting-metrics.ts';
import { addAccountRoutes } from './routes/accounts.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { addMediaRoutes } from './routes/media.ts';
import { addPlatformEventRoutes } from './routes/platform-events.ts';
import { addScheduleRoutes } from './routes/schedules.ts';
import { schedulingSettings } from './settings.ts';
import { startAnswerRequests } from './workers/answer-requests.ts';
import { startKeepAccounts } from './workers/keep-accounts.ts';
import { startPollStatus } from './workers/poll-status.ts';
import { startReconcilePermits } from './workers/reconcile-permits.ts';
import { startSendDue } from './workers/send-due.ts';
import { startTidy } from './workers/tidy.ts';
import { workChannels } from './workers/work-channel.ts';

/** The service with other times than those of production: for tests. */
export function createScheduling(
  timings: Partial<Timings> = {},
): ServiceDefinition<typeof schedulingSettings> {
  const partsOf = makeOnce((runtime: SchedulingRuntime) =>
    createParts(runtime, { ...defaultTimings, ...timings }),
  );
  return defineService({
    name: 'scheduling',
    settings: schedulingSettings,

    async addRoutes(app, runtime) {
      const parts = partsOf(runtime);
      addAccountRoutes(app, parts);
      addScheduleRoutes(app, parts);
      addInternalRoutes(app, parts);
      addMediaRoutes(app, parts);
      await addPlatformEventRoutes(app, parts);
    },

    async startWorkers(runtime) {
      const parts = partsOf(runtime);
      const { db, log, shutdown } = runtime;
      const wakeUp = openWakeUp(
        db.connectionString,
        'hookline scheduling wake-up',
        Object.values(workChannels),
        log,
      );
      shutdown.add('workers', 'scheduling wake-up', () => wakeUp.close());
      let sender: WorkerLoop | undefined;
      const { WITNESS_FILE } = runtime.settings;
      const watch = createDatabaseWatch(parts, {
        file: WITNESS_FILE ? openWitnessFile(WITNESS_FILE, log) : null,
        ...{ group: ownEventsGroup, topics: ownTopics },
        onReady: () => sender?.wake(),
      });
      await watch.start();
      shutdown.add('workers', 'scheduling database watch', () => watch.stop());
      const started = {
        send: startSendDue(parts, createSender(parts, watch), watch.isReady),
        polls: startPollStatus(parts),
        requests: startAnswerRequests(parts),
      };
      sender = started.send;
      const names = Object.keys(started) as (keyof typeof started)[];
      for (const name of names) wakeUp.on(workChannels[name], started[name].wake);
      shutdown.add('workers', 'scheduling workers', async () => {
        await Promise.all(names.map(name => started[name].stop()));
      });
      watchPosting(db);
      const keeper = startKeepAccounts(parts);
      shutdown.add('workers', 'scheduling accounts', () => keeper.stop());
      const reconcile = startReconcilePermits(parts);
      shutdown.add('workers', 'scheduling permits', () => reconcile.stop());
      const tidy = startTidy(parts);
      shutdown.add('workers', 'scheduling tidy', () => tidy.stop());
      return [ownEvents(watch), ...consumers(parts.now)];
    },
  });
}

export const scheduling = createScheduling();
