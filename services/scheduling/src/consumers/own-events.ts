import { RetryLaterError } from '@hookline/shared/bus';
import { fromHeaders } from '@hookline/shared/events';
import { type BusReader, watchLag } from '@hookline/shared/service';
import { ownEvents as own } from '../actions/watch-database.ts';
import type { SchedulingDeps } from '../deps.ts';

const ownSource = '/services/scheduling';

/**
 * Reads back the service's own events. Bypasses the inbox: an event has no effect here, and its offset is
 * recorded in the database before it is confirmed to the bus. So no message may be skipped or dead-lettered.
 */
export function ownEventsReader(deps: SchedulingDeps): BusReader {
  return {
    name: 'own-events',
    async read(bus) {
      const { watch } = deps;
      await bus.subscribe({
        group: own.group,
        topics: own.topics,
        async handler({ topic, partition, offset, headers }) {
          const place = { topic, partition, offset: Number(offset) };
          try {
            await watch.witness({ ...place, ...readEvent(headers, topic) });
          } catch (error) {
            throw new RetryLaterError('the database is away', { cause: error });
          }
        },
      });
      watchLag(bus, own.group, own.topics);
      // After the subscription: a group that never read has no offsets to compare.
      watch.compareWith(bus);
    },
  };
}

/** If a message is not an event of this service, its offset is recorded but nothing is compared. */
function readEvent(headers: Readonly<Record<string, string>>, topic: string) {
  try {
    const { source, subject, sequence, time } = fromHeaders(headers, topic);
    return { scheduleId: source === ownSource ? subject : null, sequence, time: new Date(time) };
  } catch {
    return { scheduleId: null, sequence: 0, time: new Date(0) };
  }
}
