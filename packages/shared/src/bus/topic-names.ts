/** The topic for messages that no handler could settle. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/** The group whose cursor marks the dead letters that are already handled. */
export const redriveGroup = 'operator.redrive';

export function isDeadLetterTopic(topic: string): boolean {
  return topic.endsWith('.dlq');
}

/** The topics and their dead-letter topics, each once. Throws for a name that Kafka would refuse. */
export function withDeadLetterTopics(topics: readonly string[]): string[] {
  for (const topic of topics) {
    if (!/^[a-zA-Z0-9._-]{1,200}$/.test(topic)) {
      throw new Error(
        `the topic name "${topic}" must be 1 to 200 letters, digits, dots, dashes or underscores`,
      );
    }
  }
  return [...new Set(topics.flatMap(topic => [topic, deadLetterTopic(topic)]))];
}

/** Rejects unknown topics: publishing to one is a bug, never a reason to wait or to create it. */
export function refuseUnknownTopics(wanted: Iterable<string>, known: ReadonlySet<string>): void {
  const unknown = [...wanted].filter(topic => !known.has(topic));
  if (unknown.length === 0) return;
  throw new Error(`unknown on the bus: ${unknown.join(', ')}; a topic must be made with ensureTopics first`);
}
