import type { Admin, ConfigResourceTypes } from 'kafkajs';
import { ConfigurationError } from '../../kernel/index.ts';
import type { BusLog } from '../delivery.ts';
import { isDeadLetterTopic } from '../topic-names.ts';
import type { SharedAdmin } from './admin.ts';
import { newTopicSettings, planSettings, type TopicSetting } from './topic-settings.ts';

/** A broker syncs the folder of each new replica: on a slow disk a hundred took over 30 s. */
const createMaxMs = 60_000;
/** kafkajs's `ConfigResourceTypes.TOPIC`, which Node cannot import by name from CommonJS. */
export const topicResource: ConfigResourceTypes = 2;
/** `config_source` in a DescribeConfigs answer: set on the topic itself. */
const ownSource = 1;

export type TopicOptions = {
  partitions: number;
  /** Undefined: the broker's `default.replication.factor`. */
  replicationFactor?: number | undefined;
  log: BusLog;
};

/**
 * Creates missing topics and resolves when the leader of each partition answers. Safe for any number of
 * processes at once. Then corrects the topics' settings; where the cluster does not allow that, logs a
 * warning with the settings to apply.
 * @throws ConfigurationError for a topic that keeps messages longer than the inbox remembers them
 */
export async function ensureKafkaTopics(
  admin: SharedAdmin,
  topics: readonly string[],
  options: TopicOptions,
): Promise<void> {
  const present = new Set(await admin.use(client => client.listTopics()));
  if (topics.some(topic => !present.has(topic))) {
    await admin.useSettled(createMaxMs, client => createMissing(client, topics, options));
  }
  const described = await describe(admin, topics).catch(error => {
    options.log.warn({ err: error }, 'the settings of the topics cannot be checked');
    return [];
  });
  await correct(admin, described, options);
}

async function createMissing(
  client: Admin,
  topics: readonly string[],
  { partitions, replicationFactor }: TopicOptions,
): Promise<void> {
  const present = new Set(await client.listTopics());
  const missing = topics.filter(topic => !present.has(topic));
  if (missing.length > 0) {
    const made = missing.map(topic => ({
      topic,
      numPartitions: partitions,
      ...(replicationFactor === undefined ? {} : { replicationFactor }),
      configEntries: entriesOf(newTopicSettings(isDeadLetterTopic(topic), replicationFactor)),
    }));
    // kafkajs's own wait for leaders throws when the broker it asks does not know the topic yet.
    await client.createTopics({ topics: made, waitForLeaders: false });
  }
  // Only an answering leader counts: the metadata of one broker may be ahead of another's.
  for (const topic of topics) await client.fetchTopicOffsets(topic);
}

type Described = { topic: string; replicas: number; settings: Record<string, TopicSetting> };

async function describe(admin: SharedAdmin, topics: readonly string[]): Promise<Described[]> {
  return admin.useSettled(createMaxMs, async client => {
    const metadata = await client.fetchTopicMetadata({ topics: [...topics] });
    const replicas = new Map(
      metadata.topics.map(({ name, partitions }) => [
        name,
        Math.min(...partitions.map(one => one.replicas.length)),
      ]),
    );
    const { resources } = await client.describeConfigs({
      resources: topics.map(name => ({ type: topicResource, name })),
      includeSynonyms: false,
    });
    return resources.map(({ resourceName: topic, configEntries }) => ({
      topic,
      replicas: replicas.get(topic) ?? 1,
      settings: Object.fromEntries(
        configEntries.map(({ configName, configValue, configSource }) => [
          configName,
          { value: configValue, isOwn: Number(configSource) === ownSource },
        ]),
      ),
    }));
  });
}

async function correct(
  admin: SharedAdmin,
  described: readonly Described[],
  { log, replicationFactor }: TopicOptions,
): Promise<void> {
  for (const { topic, replicas, settings } of described) {
    if (replicationFactor !== undefined && replicas < replicationFactor) {
      log.warn({ topic, replicas, replicationFactor }, 'the topic has fewer replicas than are configured');
    }
    const { changes, refusal } = planSettings(isDeadLetterTopic(topic), settings, replicas);
    if (refusal !== null) throw new ConfigurationError(`the topic ${topic} cannot be used: ${refusal}`);
    if (Object.keys(changes).length === 0) continue;
    // The request replaces every setting of the topic: kafkajs cannot change single ones.
    const own = Object.entries(settings).filter(([, { isOwn }]) => isOwn);
    const all = { ...Object.fromEntries(own.map(([name, { value }]) => [name, value])), ...changes };
    const resource = { type: topicResource, name: topic, configEntries: entriesOf(all) };
    await admin
      .use(client => client.alterConfigs({ validateOnly: false, resources: [resource] }))
      .then(
        () => log.info({ topic, changes }, "the topic's settings were corrected"),
        error => log.warn({ err: error, topic, changes }, "the topic's settings must be corrected by hand"),
      );
  }
}

function entriesOf(settings: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({ name, value }));
}
