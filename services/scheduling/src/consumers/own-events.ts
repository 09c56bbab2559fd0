import { RetryLaterError } from '@hookline/shared/bus';
import { type BusReader, watchLag } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { ownEvents as own } from '../rules/own-event.ts';

/**
 * Reads back the service's own events. Bypasses the inbox: an event has no effect here, and its offset is
 * recorded in the database before it is confirmed to the bus. So no message may be skipped or dead-lettered.
 */
export function ownEventsReader(deps: SchedulingDeps): BusReader {
  return {
    name: 'own-events',
    async read(bus) {
      const { watch } = deps;
      // Before the subscription: the join waits for dead members, and nothing is sent before the comparison.
      await watch.compareWith(bus);
      // The service is stopping: joining the group now would only make the other members wait.
      if (!watch.isReady()) return;
      await bus.subscribe({
        group: own.group,
        topics: own.topics,
        async handler(message) {
          try {
            await watch.witness(message);
          } catch (error) {
            throw new RetryLaterError('the database is away', { cause: error });
          }
        },
      });
      watchLag(bus, own.group, own.topics);
    },
  };
}
