import { testKafkaBrokers } from '@hookline/infra/test-infra';
import { contractTimeout, keepIn, lagOf, message, uniqueName } from '@hookline/testing/bus-contract';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bus, ReceivedMessage } from '../port.ts';
import { createKafkaBus, type KafkaBusOptions } from './bus.ts';
import { quietIdleConnections } from './library.ts';
import { retentionMaxMs } from './topic-settings.ts';
import { topicResource } from './topics.ts';

const log = pino({ level: 'silent' });
const patient = { timeout: 60_000, interval: 100 };
const brokers = (await testKafkaBrokers())?.split(',') ?? null;

describe.skipIf(brokers === null)("Kafka's topics", contractTimeout, () => {
  let admin: Admin;
  let opened: Bus[] = [];

  beforeAll(async () => {
    quietIdleConnections();
    const kafka = new Kafka({
      clientId: 'hookline-topics',
      brokers: brokers ?? [],
      logLevel: logLevel.NOTHING,
    });
    admin = kafka.admin();
    await admin.connect();
  });
  afterEach(async () => {
    await Promise.all(opened.map(bus => bus.close(1_000)));
    opened = [];
  });
  afterAll(() => admin?.disconnect());

  function openBus(changes: Partial<KafkaBusOptions> = {}): Bus {
    const bus = createKafkaBus({ brokers: brokers ?? [], clientId: 'hookline-topics', log, ...changes });
    opened.push(bus);
    return bus;
  }

  async function settingsOf(topic: string): Promise<Record<string, string>> {
    const { resources } = await admin.describeConfigs({
      resources: [{ type: topicResource, name: topic }],
      includeSynonyms: false,
    });
    return Object.fromEntries(
      (resources[0]?.configEntries ?? []).map(one => [one.configName, one.configValue]),
    );
  }

  async function create(topic: string, settings: Record<string, string>): Promise<void> {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    await vi.waitFor(async () => {
      if (!(await admin.listTopics()).includes(topic)) {
        const topics = [{ topic, numPartitions: 6, configEntries }];
        await admin.createTopics({ topics, waitForLeaders: false });
      }
      await admin.fetchTopicOffsets(topic);
    }, patient);
  }

  it('processes that start at the same time all get their topics and use them at once', async () => {
    const common = uniqueName('common');
    const starts = Array.from({ length: 8 }, async (_, nth) => {
      const bus = openBus({ partitions: 2 });
      const own = uniqueName(`own${nth}`);
      await bus.ensureTopics([common, own]);
      expect(await lagOf(bus, 'nobody', own)).toBe(0);
      await bus.publish([message(common, `key ${nth}`, '1'), message(own, 'key', '2')]);
      expect(await lagOf(bus, 'nobody', own)).toBe(1);
    });
    await Promise.all(starts);
    expect(await lagOf(opened[0] as Bus, 'nobody', common)).toBe(8);
  });

  it('are created with a retention below that of the inbox, dead letters without any', async () => {
    const topic = uniqueName('topic');
    await openBus().ensureTopics([topic]);
    const replicas = brokers?.length === 3 ? 3 : 1;
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    expect(topics[0]?.partitions.map(one => one.replicas.length)).toEqual(Array(6).fill(replicas));
    const both = {
      'cleanup.policy': 'delete',
      'compression.type': 'producer',
      'segment.ms': '86400000',
      'min.insync.replicas': replicas === 3 ? '2' : '1',
    };
    expect(await settingsOf(topic)).toMatchObject({ ...both, 'retention.ms': '604800000' });
    expect(await settingsOf(`${topic}.dlq`)).toMatchObject({ ...both, 'retention.ms': '-1' });
  });

  it('that were created otherwise are corrected, and keep what an operator may choose', async () => {
    const topic = uniqueName('topic');
    await create(topic, {
      ...{ 'cleanup.policy': 'compact', 'compression.type': 'lz4', 'segment.ms': '604800000' },
      ...{ 'retention.ms': '259200000', 'max.message.bytes': '2000000' },
    });
    await create(`${topic}.dlq`, { 'retention.ms': '86400000' });
    await openBus().ensureTopics([topic]);
    await vi.waitFor(async () => {
      expect(await settingsOf(topic)).toMatchObject({
        ...{ 'cleanup.policy': 'delete', 'compression.type': 'producer', 'segment.ms': '86400000' },
        ...{ 'retention.ms': '259200000', 'max.message.bytes': '2000000' },
      });
      expect(await settingsOf(`${topic}.dlq`)).toMatchObject({ 'retention.ms': '-1' });
    }, patient);
  });

  it('that keep messages longer than the inbox remembers them are refused by name', async () => {
    for (const retention of ['-1', String(retentionMaxMs + 1)]) {
      const topic = uniqueName('topic');
      await create(topic, { 'retention.ms': retention });
      await expect(openBus().ensureTopics([topic])).rejects.toThrow(topic);
      expect(await settingsOf(topic)).toMatchObject({ 'retention.ms': retention });
    }
  });

  it('that are deleted under a running process are created again, and what follows arrives', {
    timeout: 120_000,
  }, async () => {
    const topic = uniqueName('topic');
    const errors: unknown[] = [];
    const bus = openBus({
      log: Object.assign(pino({ level: 'silent' }), { error: (one: unknown) => errors.push(one) }),
    });
    await bus.ensureTopics([topic]);
    await bus.publish([message(topic, 'key', 'before')]);
    await admin.deleteTopics({ topics: [topic] });
    // The first attempts see the topic that the producer knew.
    await vi.waitFor(() => bus.publish([message(topic, 'key', 'after')]), { timeout: 90_000, interval: 500 });
    expect(errors).toContainEqual({ topics: [topic] });
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
    await vi.waitFor(() => expect(received.map(one => one.value)).toContain('after'), patient);
    expect(await settingsOf(topic)).toMatchObject({ 'retention.ms': '604800000' });
  });

  it('are read back to the oldest message kept where those before it were deleted', async () => {
    const topic = uniqueName('topic');
    const bus = openBus({ partitions: 1 });
    await bus.ensureTopics([topic]);
    await bus.publish(['1', '2', '3'].map(value => message(topic, 'key', value)));
    const read = async (): Promise<string[]> => {
      const values: string[] = [];
      await bus.readBack(topic, async messages => {
        values.push(...messages.map(({ value }) => value));
        return true;
      });
      return values;
    };
    const deleteBefore = async (offset: string): Promise<void> => {
      // Tells the admin client who leads the topic.
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] });
    };
    await deleteBefore('2');
    expect(await read()).toEqual(['3']);
    await deleteBefore('3');
    expect(await read()).toEqual([]);
  });
});
