/** The settings that Hookline's topics need on Kafka, and the handling of topics with other settings. */
import { dayMs } from '../../kernel/index.ts';
import { inboxKeptDays } from '../inbox/inbox.ts';

const retentionMs = 7 * dayMs;
/** Kafka deletes whole segments: a message outlives its retention by up to this. */
const segmentMs = dayMs;

/** An event delivered again after its inbox row was deleted takes effect a second time. */
export const retentionMaxMs = inboxKeptDays * dayMs - segmentMs;

export type TopicSetting = {
  value: string;
  /** Set on the topic itself, not inherited from the broker. */
  isOwn: boolean;
};

export type SettingsPlan = {
  /** Settings to change on the topic. Empty when it is correct. */
  changes: Record<string, string>;
  /** Reason why the topic must not be used as it is; null when it may. */
  refusal: string | null;
};

/** One replica may be down: two of three must store a write before it is acknowledged. */
function inSyncLeast(replicas: number): number {
  return replicas >= 3 ? 2 : 1;
}

/**
 * Settings for a topic that is created.
 * @param replicas undefined when the broker's default decides.
 */
export function newTopicSettings(isDeadLetter: boolean, replicas?: number): Record<string, string> {
  return {
    'cleanup.policy': 'delete',
    // kafkajs cannot read any broker-wide codec other than gzip.
    'compression.type': 'producer',
    'segment.ms': String(segmentMs),
    // Dead letters are kept until an operator deals with them.
    ...(isDeadLetter
      ? { 'retention.ms': '-1', 'retention.bytes': '-1' }
      : { 'retention.ms': String(retentionMs) }),
    ...(replicas === undefined ? {} : { 'min.insync.replicas': String(inSyncLeast(replicas)) }),
  };
}

/**
 * Compares an existing topic with `newTopicSettings`. A retention that an operator set is kept, up to
 * `retentionMaxMs`; a longer one is refused rather than shortened, because shortening deletes messages.
 */
export function planSettings(
  isDeadLetter: boolean,
  current: Readonly<Record<string, TopicSetting>>,
  replicas: number,
): SettingsPlan {
  const changes: Record<string, string> = {};
  let refusal: string | null = null;
  for (const [name, value] of Object.entries(newTopicSettings(isDeadLetter, replicas))) {
    const found = current[name];
    const number = Number(found?.value);
    if (found?.isOwn && name === 'retention.ms' && !isDeadLetter) {
      if (number < 0 || number > retentionMaxMs) refusal = describeRetention(number);
    } else if (found?.isOwn && name === 'segment.ms') {
      if (number > segmentMs) changes[name] = value;
    } else if (name === 'min.insync.replicas') {
      if (!found || number < Number(value)) changes[name] = value;
    } else if (!found?.isOwn || found.value !== value) {
      changes[name] = value;
    }
  }
  return { changes, refusal };
}

function describeRetention(ms: number): string {
  const found = ms < 0 ? 'without end' : `${ms / dayMs} days`;
  return (
    `its retention.ms keeps messages ${found}, longer than the ${retentionMaxMs / dayMs} days ` +
    'for which a second delivery is recognised'
  );
}
