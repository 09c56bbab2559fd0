/** Ends the brokers in turn, by SIGTERM and by kill -9, and restarts each. */
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@hookline/testing/eventually';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import type { KafkaCluster } from '../../../../tools/infra/src/kafka.ts';
import type { Recorder } from '../../kit/run/history.ts';
import type { BrokersLine } from './history.ts';

const downMs = 3_000;
/** Leaders return to a broker 5 s after it does: a shorter wait would miss half of the moves. */
const restMs = 8_000;
const inSyncMaxMs = 120_000;

/**
 * @returns the number of times each fault struck. @throws Error when a broker is not back in sync within 2
 * minutes
 */
export async function restartInTurn(
  cluster: KafkaCluster,
  topics: readonly string[],
  rounds: number,
  recorder: Recorder<BrokersLine>,
): Promise<Record<'SIGTERM' | 'SIGKILL', number>> {
  const counts = { SIGTERM: 0, SIGKILL: 0 };
  const admin = new Kafka({
    clientId: 'faults',
    brokers: cluster.brokers.split(','),
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  for (let round = 0; round < rounds; round += 1) {
    const at = round % cluster.members.length;
    const broker = cluster.members[at];
    if (!broker) throw new Error('the cluster has no broker');
    // Each broker gets both, one cycle after the other.
    const what = Math.floor(round / cluster.members.length) % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
    recorder.write({ kind: 'fault', what, broker: at });
    await (what === 'SIGTERM' ? broker.stop() : broker.kill());
    counts[what] += 1;
    await wait(downMs);
    const startedMs = performance.now();
    await broker.restart();
    await eventually(() => insistInSync(admin, topics, cluster.members.length), inSyncMaxMs);
    recorder.write({ kind: 'in sync', broker: at, afterMs: Math.round(performance.now() - startedMs) });
    await wait(restMs);
  }
  await admin.disconnect().catch(() => {});
  return counts;
}

async function insistInSync(admin: Admin, names: readonly string[], replicas: number): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  const behind = topics.flatMap(one => one.partitions).filter(one => one.isr.length < replicas);
  if (behind.length > 0) throw new Error(`${behind.length} partitions are not in sync`);
}
