/** The service reads its own events back from the bus. */
import type { StoredMessage } from '@hookline/shared/bus';
import { fromHeaders, type Topic } from '@hookline/shared/events';

export const ownTopic: Topic = 'scheduling.schedules';

const ownSource = '/services/scheduling';

export type OwnEvent = { scheduleId: string; sequence: number; timeMs: number };

export function ownEventsOf(messages: readonly Pick<StoredMessage, 'headers' | 'topic'>[]): OwnEvent[] {
  return messages.flatMap(({ headers, topic }) => {
    try {
      const { source, subject, sequence, time } = fromHeaders(headers, topic);
      return source === ownSource ? [{ scheduleId: subject, sequence, timeMs: Date.parse(time) }] : [];
    } catch {
      return [];
    }
  });
}
