/** For tests: what happens to the groups of a broker without a process of ours. */
import { Kafka, logLevel } from 'kafkajs';
import { quietIdleConnections } from './library.ts';

export type Groups = {
  /** Deletes a group with its offsets. Rejects as long as it has members. */
  delete(group: string): Promise<void>;
  close(): Promise<void>;
};

export async function openGroups(brokers: string[]): Promise<Groups> {
  quietIdleConnections();
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  return {
    async delete(group) {
      await admin.deleteGroups([group]);
    },
    close: () => admin.disconnect(),
  };
}
