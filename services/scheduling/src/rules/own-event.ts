/** The service's own events, as they are read back from the bus. */
import type { StoredMessage } from '@hookline/shared/bus';
import { fromHeaders, type Topic } from '@hookline/shared/events';

/** The service's own events, read back. */
export const ownEvents: { group: string; topics: readonly Topic[] } = {
  group: 'scheduling.own-events',
  topics: ['scheduling.schedules'],
};

const ownSource = '/services/scheduling';

export type OwnEvent = { scheduleId: string; sequence: number; timeMs: number };

/** Null if the message is not an event of this service. */
export function readOwnEvent({ headers, topic }: Pick<StoredMessage, 'headers' | 'topic'>): OwnEvent | null {
  try {
    const { source, subject, sequence, time } = fromHeaders(headers, topic);
    return source === ownSource ? { scheduleId: subject, sequence, timeMs: Date.parse(time) } : null;
  } catch {
    return null;
  }
}
