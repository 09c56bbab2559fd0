import { WritingRefused } from './port.ts';
import { isRefusedTopic } from './text-filters.ts';

/** @throws WritingRefused `topic_refused` */
export function requireAllowedTopic(topic: string | undefined): void {
  if (topic === undefined || !isRefusedTopic(topic)) return;
  throw new WritingRefused('topic_refused', 'brief.topic is about something that is not written about here');
}
