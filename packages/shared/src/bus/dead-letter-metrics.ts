import { areMetricsOn, createCountMetric } from '../metrics.ts';

/** Makes the counters of a group known at 0: a series that begins at 1 would hide its first dead letter. */
export function expectDeadLetters(group: string, topics: readonly string[]): void {
  for (const topic of topics) count(group, topic, 0);
}

export function countDeadLetter(group: string, topic: string): void {
  count(group, topic, 1);
}

function count(group: string, topic: string, by: number): void {
  if (!areMetricsOn()) return;
  // Made anew each time, which gives the same counter: dead letters are rare, and buses outlive a provider in tests.
  const counter = createCountMetric('hookline.bus.dead_letters');
  counter({ 'messaging.consumer.group.name': group, 'messaging.destination.name': topic }, by);
}
