import { setTimeout as wait } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { within } from '../../kernel/index.ts';
import { type BusLog, type DeliveryHooks, loggedHooks } from '../delivery.ts';
import { type Bus, type BusMessage, RetryLaterError } from '../port.ts';
import { refuseUnknownTopics, withDeadLetterTopics } from '../topic-names.ts';
import { createAdmin, deleteSettled, readLag } from './admin.ts';
import { createBatchWorker, type WireMessage } from './batch.ts';
import { type SupervisedGroup, superviseGroup } from './group.ts';
import { quietIdleConnections, releaseDestroyedSockets, writeLog } from './library.ts';
import { readTopicBack } from './read.ts';
import { createSender, type Outgoing } from './sender.ts';
import type { KafkaConnection } from './settings.ts';
import { ensureKafkaTopics } from './topics.ts';

const healthWithinMs = 1_500;
/** A busy, freshly started cluster takes over 5 s to elect the coordinator of its first group. */
const lagSettledMaxMs = 20_000;
/** A broker may learn of a new topic this much later than the one that was asked first. */
const unknownAgainMs = 300;
const unknownTries = 4;

export type KafkaBusOptions = KafkaConnection & {
  clientId: string;
  log: BusLog;
  /**
   * Number of partitions of a topic that `ensureTopics` creates. Changing it later breaks the order of keys.
   * Default 6.
   */
  partitions?: number;
  /** Appended to every group's name, so that test runs on one broker do not share groups. */
  groupSuffix?: string;
  /**
   * After this without a heartbeat a dead consumer's partitions go to others; 6,000 to 30,000. Default 8,000.
   */
  sessionTimeoutMs?: number;
  hooks?: DeliveryHooks;
};

/** The bus of the distributed mode. Only the files of this folder use kafkajs. */
export function createKafkaBus(options: KafkaBusOptions): Bus {
  const { brokers, tls, sasl, clientId, log, partitions = 6, replicationFactor } = options;
  const { groupSuffix = '', sessionTimeoutMs = 8_000 } = options;
  quietIdleConnections();
  releaseDestroyedSockets();
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ssl: tls === undefined ? false : { ...(tls.ca === undefined ? {} : { ca: [tls.ca] }) },
    ...(sasl === undefined ? {} : { sasl }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    logLevel: logLevel.INFO,
    logCreator: () => entry => writeLog(log, entry),
    // Given in full, because kafkajs takes other defaults under NODE_ENV=test.
    retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000, factor: 0.2, multiplier: 2 },
  });
  const sender = createSender(kafka);
  const admin = createAdmin(kafka);
  const hooks = loggedHooks(log, options.hooks);
  const groups = new Map<string, SupervisedGroup>();
  const knownTopics = new Set<string>();
  const ensuredTopics = new Set<string>();
  let closed = false;

  /** kafkajs retries an unknown topic as long as a lost broker, so it is refused here. */
  async function refuseUnknown(topics: readonly string[]): Promise<void> {
    const areKnown = () => topics.every(topic => knownTopics.has(topic));
    for (let tries = 1; !areKnown() && tries <= unknownTries; tries += 1) {
      if (tries > 1) await wait(unknownAgainMs);
      const present = await admin
        .use(client => client.listTopics())
        .catch(error => {
          throw new RetryLaterError('Kafka does not say which topics it has', { cause: error });
        });
      for (const topic of present) knownTopics.add(topic);
    }
    if (!areKnown()) await recreateLost(topics.filter(topic => !knownTopics.has(topic)));
    refuseUnknownTopics(topics, knownTopics);
  }

  /**
   * Recreates topics that existed and are gone: deleted, or lost with brokers that were replaced by empty
   * ones.
   */
  async function recreateLost(topics: readonly string[]): Promise<void> {
    const lost = topics.filter(topic => ensuredTopics.has(topic));
    if (lost.length === 0) return;
    log.error(
      { topics: lost },
      'topics are gone from Kafka, with the messages in them; they are created again',
    );
    await ensure(lost).catch(error => {
      throw new RetryLaterError('a lost topic could not be created again', { cause: error });
    });
  }

  async function ensure(topics: readonly string[]): Promise<void> {
    await ensureKafkaTopics(admin, topics, { partitions, replicationFactor, log });
    for (const topic of topics) {
      ensuredTopics.add(topic);
      knownTopics.add(topic);
    }
  }

  async function send(batch: readonly Outgoing[]): Promise<void> {
    const topics = new Set(batch.map(message => message.topic));
    await refuseUnknown([...topics]);
    try {
      await sender.send(batch);
    } catch (error) {
      // The topic may be gone: the next attempt checks.
      for (const topic of topics) knownTopics.delete(topic);
      throw error;
    }
  }

  async function publishDeadLetter(deadLetter: BusMessage, raw: WireMessage): Promise<void> {
    await send([{ ...deadLetter, key: raw.key, value: raw.value }]);
  }

  return {
    ensureTopics: topics => ensure(withDeadLetterTopics(topics)),
    async publish(batch) {
      if (closed) throw new Error('the bus is closed');
      if (batch.length > 0) await send(batch);
    },
    async subscribe(subscription) {
      const { group, topics } = subscription;
      if (closed) throw new Error('the bus is closed');
      if (groups.has(group)) throw new Error(`the group ${group} is already subscribed in this process`);
      await refuseUnknown(topics);
      const worker = createBatchWorker({ subscription, hooks, publishDeadLetter });
      const supervised = superviseGroup({
        ...{ kafka, subscription, worker, log, sessionTimeoutMs },
        groupId: `${group}${groupSuffix}`,
        partitionsAtOnce: partitions,
      });
      groups.set(group, supervised);
      await supervised.joined;
    },
    async lag(group, topics) {
      await refuseUnknown(topics);
      return admin.useSettled(lagSettledMaxMs, client => readLag(client, group, groupSuffix, topics));
    },
    async deleteSettled(group, topics) {
      await refuseUnknown(topics);
      await admin.useSettled(lagSettledMaxMs, client => deleteSettled(client, group, groupSuffix, topics));
    },
    async readBack(topic, take) {
      await refuseUnknown([topic]);
      await readTopicBack(kafka, admin, topic, take);
    },
    async health() {
      if (closed) return { ok: false, reason: 'the bus is closed' };
      for (const [group, supervised] of groups) {
        // A group that has joined once rejoins as soon as the broker is back, though dead members delay it by
        // their session timeout; requests need not wait for that.
        if (!supervised.hasJoined()) return { ok: false, reason: `the group ${group} is not joined` };
      }
      try {
        const described = admin.use(client => client.describeCluster());
        await within(healthWithinMs, described, 'Kafka gave no answer');
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) };
      }
    },
    async close(timeoutMs = 10_000) {
      const left = Promise.all([...groups.values()].map(group => group.close()));
      await within(timeoutMs, left, 'handlers are still at work').catch(error =>
        log.warn({ err: error }, 'the bus closes with messages in flight; they will be delivered again'),
      );
      // Until here, dead letters of messages in flight can still be written.
      closed = true;
      await within(2_000, Promise.all([sender.close(), admin.close()]), 'Kafka did not disconnect').catch(
        error => log.warn({ err: error }, 'the bus did not close in good order'),
      );
    },
  };
}
