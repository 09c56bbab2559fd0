import { createCountMetric, sharedMetrics } from '../kernel/index.ts';

const count = createCountMetric(sharedMetrics.metrics.deadLetters);

/** Starts the counters of a group at 0: a series that begins at 1 would hide its first dead letter. */
export function expectDeadLetters(group: string, topics: readonly string[]): void {
  for (const topic of topics) count(attributesOf(group, topic), 0);
}

export function countDeadLetter(group: string, topic: string): void {
  count(attributesOf(group, topic));
}

function attributesOf(group: string, topic: string) {
  return { 'messaging.consumer.group.name': group, 'messaging.destination.name': topic };
}
