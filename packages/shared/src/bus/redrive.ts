/**
 * Dead letters: inspected, put back to the topic they came from, or discarded. For the operator's command.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Bus, type ReceivedMessage, RetryLaterError } from './port.ts';
import { deadLetterTopic, redriveGroup } from './topic-names.ts';

export { redriveGroup };

/** Header that names the only group that a redriven message is for. */
export const redriveHeader = 'redrive_group';

const unknown = 'unknown';
/** Longest wait for the next dead letter. */
const silenceMaxMs = 30_000;

export type DeadLetter = {
  topic: string;
  eventId: string;
  type: string;
  key: string;
  /** The consumer group that could not settle it. */
  group: string;
  error: string;
  lastAt: string;
};

export type RedriveOptions = {
  /** Topics, not their dead-letter topics. */
  topics: readonly string[];
  /** `redriveGroup`, or a temporary name for an inspection that changes nothing. */
  group: string;
  /** Called for every dead letter that existed when the run began, oldest first per key. */
  each: (letter: DeadLetter, message: ReceivedMessage) => Promise<void>;
};

/** Dead letters that the group has not handled, per topic. */
export async function countDeadLetters(
  bus: Bus,
  topics: readonly string[],
  group = redriveGroup,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const topic of topics) {
    const lags = await bus.lag(group, [deadLetterTopic(topic)]);
    counts.set(
      topic,
      lags.reduce((sum, { lag }) => sum + lag, 0),
    );
  }
  return counts;
}

/**
 * Deletes the dead letters that the group has processed, whichever run did. Kafka forgets the position of a
 * group that had no members for 7 days (`offsets.retention.minutes`), while dead letters never expire: those
 * processed long ago would count as waiting again, and be put back after the inbox forgot them. Idempotent.
 */
export async function deleteDealtWith(
  bus: Bus,
  topics: readonly string[],
  group = redriveGroup,
): Promise<void> {
  await bus.deleteSettled(group, topics.map(deadLetterTopic));
}

/**
 * Processes the dead letters that existed when it began; new ones are left for the next run. Returns when the
 * bus has noted that. Closes nothing: the caller closes the bus.
 * @returns the number processed
 * @throws Error when nothing arrives for 30 s: another operator's run may hold the group
 */
export async function eachDeadLetter(bus: Bus, { topics, group, each }: RedriveOptions): Promise<number> {
  const deadTopics = topics.map(deadLetterTopic);
  const ends = new Map<string, number>();
  let waiting = 0;
  for (const { lag, end, ...place } of await bus.lag(group, deadTopics)) {
    if (lag > 0) ends.set(nameOf(place), end);
    waiting += lag;
  }
  if (waiting === 0) return 0;
  const isNoted = async (): Promise<boolean> =>
    (await bus.lag(group, deadTopics)).every(
      ({ confirmed, ...place }) => (confirmed ?? 0) >= (ends.get(nameOf(place)) ?? 0),
    );
  let done = 0;
  let lastAt = Date.now();
  let failure: Error | undefined;
  await bus.subscribe({
    group,
    topics: deadTopics,
    async handler(message) {
      // Left before the cursor, so that the next run finds it.
      if (Number(message.offset) >= (ends.get(nameOf(message)) ?? 0) || failure)
        throw new RetryLaterError('this run is over');
      try {
        await each(readDeadLetter(message), message);
      } catch (error) {
        failure = error as Error;
        throw new RetryLaterError('this run failed', { cause: error });
      }
      done += 1;
      lastAt = Date.now();
    },
  });
  while (!failure && (done < waiting || !(await isNoted()))) {
    if (Date.now() - lastAt > silenceMaxMs) {
      throw new Error(
        done < waiting
          ? `${waiting - done} dead letters did not come within ${silenceMaxMs / 1000} s; does another run hold them?`
          : `the bus did not note within ${silenceMaxMs / 1000} s what was done; the next run repeats it`,
      );
    }
    await wait(50);
  }
  if (failure) throw failure;
  return done;
}

/**
 * Publishes the message to its own topic as it was before it died, for the group in which it died. Other
 * groups handled it back then, perhaps so long ago that their inbox rows are deleted.
 */
export async function putBack(bus: Bus, letter: DeadLetter, message: ReceivedMessage): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(message.headers).filter(([name]) => !name.startsWith('dlq_')),
  );
  if (letter.group !== unknown) headers[redriveHeader] = letter.group;
  await bus.publish([{ topic: letter.topic, key: message.key, value: message.value, headers }]);
}

function nameOf({ topic, partition }: Pick<ReceivedMessage, 'topic' | 'partition'>): string {
  return `${topic} ${partition}`;
}

function readDeadLetter({ topic, key, headers }: ReceivedMessage): DeadLetter {
  return {
    topic: headers.dlq_topic ?? topic.replace(/\.dlq$/, ''),
    eventId: headers.ce_id ?? unknown,
    type: headers.ce_type ?? unknown,
    key,
    group: headers.dlq_group ?? unknown,
    error: `${headers.dlq_error_class ?? unknown}: ${headers.dlq_error_message ?? ''}`,
    lastAt: headers.dlq_last_at ?? unknown,
  };
}
