import { RetryLaterError } from '@hookline/shared/bus';
import type { Topic } from '@hookline/shared/events';
import { fromHeaders } from '@hookline/shared/events';
import type { BusReader } from '@hookline/shared/service';
import { watchLag } from '@hookline/shared/service';
import type { DatabaseWatch } from '../actions/watch-database.ts';

export const ownEventsGroup = 'scheduling.own-events';
export const ownTopics: readonly Topic[] = ['scheduling.schedules'];
const ownSource = '/services/scheduling';

/**
 * Reads back what this service published. Not through the inbox: an event has no effect here, and its offset is noted
 * in the database before it is confirmed to the bus. So no message may be passed over or dead-lettered.
 */
export function ownEvents(watch: DatabaseWatch): BusReader {
  return {
    name: 'own-events',
    async read(bus) {
      await bus.subscribe({
        group: ownEventsGroup,
        topics: ownTopics,
        async handler({ topic, partition, offset, headers }) {
          const place = { topic, partition, offset: Number(offset) };
          try {
            await watch.witness({ ...place, ...readEvent(headers, topic) });
          } catch (error) {
            throw new RetryLaterError('the database is away', { cause: error });
          }
        },
      });
      watchLag(bus, ownEventsGroup, ownTopics);
      // After the subscription: a group that never read has no offsets to compare.
      watch.compareWith(bus);
    },
  };
}

/** A message that is no event of this service is noted and compared with nothing. */
function readEvent(headers: Readonly<Record<string, string>>, topic: string) {
  try {
    const { source, subject, sequence, time } = fromHeaders(headers, topic);
    return { scheduleId: source === ownSource ? subject : null, sequence, time: new Date(time) };
  } catch {
    return { scheduleId: null, sequence: 0, time: new Date(0) };
  }
}
