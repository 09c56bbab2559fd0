/**
 * Four instances of Hookline's bus publish batches over two topics of three real Kafka brokers, and a group
 * reads them, while the brokers are ended in turn by SIGTERM and by kill -9. Every message that `publish`
 * acknowledged must arrive, and each key in order. At least 50,000 messages; `--long`: 1,000,000.
 */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bus } from '@hookline/shared/bus';
import { createLogger } from '@hookline/shared/kernel';
import { startKafkaCluster } from '../../../../tools/infra/src/kafka.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { plantFolder } from '../../kit/product/planted.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { openRecorder, type Recorder, readHistory } from '../../kit/run/history.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { checkBrokers, kept } from './check.ts';
import { restartInTurn } from './faults.ts';
import type { BrokersLine } from './history.ts';
import { startPublishers } from './publishers.ts';

const publishers = 4;
const batchSize = 120;
const topics = ['proof.one', 'proof.two'];
const group = 'proof.reader';
/** A short run need not fill the disk; a long one has a batch in flight at every moment. */
const sizes = {
  usual: { messagesLeast: 50_000, rounds: 6, gapMs: 25 },
  long: { messagesLeast: 1_000_000, rounds: 18, gapMs: 0 },
};
/**
 * The reader has stopped when its lag does not shrink for this long; it is longer than a rejoin of its
 * group takes. No limit counts from the start: one reader takes thousands of messages a second, or
 * hundreds on a busy machine.
 */
const stalledMs = 120_000;
type Size = (typeof sizes)['usual'];
const receivedPerLine = 500;

const log = createLogger({ service: 'proof', level: 'silent' });

type BusModule = typeof import('@hookline/shared/bus/kafka');

async function prove(folder: string, isPlanted: boolean, size: Size): Promise<Outcome> {
  const planted = isPlanted ? plantUnacknowledged() : null;
  try {
    const source = planted?.folder ?? join(repositoryRoot, 'packages/shared');
    return await disturbAndCheck(folder, source, size, isPlanted);
  } finally {
    planted?.remove();
  }
}

/** @param source folder of the package whose bus is used */
async function disturbAndCheck(
  folder: string,
  source: string,
  size: Size,
  isPlanted: boolean,
): Promise<Outcome> {
  const { messagesLeast, rounds, gapMs } = size;
  const { createKafkaBus }: BusModule = await import(
    pathToFileURL(join(source, 'src/bus/kafka/bus.ts')).href
  );
  const cluster = await startKafkaCluster(3, { workDir: join(folder, 'kafka'), log: console.log });
  const open = (): Bus =>
    createKafkaBus({ brokers: cluster.brokers.split(','), clientId: 'proof', log, partitions: 6 });
  const recorder = openRecorder<BrokersLine>(join(folder, 'history.jsonl'));
  try {
    const buses = Array.from({ length: publishers }, open);
    await Promise.all(buses.map(bus => bus.ensureTopics(topics)));
    const reader = open();
    const flush = await startReader(reader, recorder);
    const publishing = startPublishers(buses, topics, { batchSize, gapMs }, recorder);
    const counts = await restartInTurn(cluster, topics, rounds, recorder);
    while (publishing.acknowledged() < messagesLeast) await wait(200);
    await publishing.stop();
    await untilRead(reader, recorder);
    flush();
    await Promise.all([...buses, reader].map(bus => bus.close(2_000)));
    return report(readHistory<BrokersLine>(recorder.file), counts, size, isPlanted);
  } finally {
    await cluster.kill();
  }
}

function plantUnacknowledged() {
  return plantFolder('packages/shared', [
    {
      file: 'src/bus/kafka/sender.ts',
      find: 'throwUnlessAcknowledged(topicMessages, answers);',
      replace: 'void [throwUnlessAcknowledged, answers];',
    },
  ]);
}

/** @returns a function that records the messages that do not fill a line yet */
async function startReader(bus: Bus, recorder: Recorder<BrokersLine>): Promise<() => void> {
  await bus.ensureTopics(topics);
  let messages: [number, number][] = [];
  const flush = (): void => {
    if (messages.length > 0) recorder.write({ kind: 'received', messages });
    messages = [];
  };
  await bus.subscribe({
    group,
    topics,
    async handler({ value }) {
      const [publisher = -1, number = -1] = value.split(' ').map(Number);
      messages.push([publisher, number]);
      if (messages.length >= receivedPerLine) flush();
    },
  });
  return flush;
}

/** Waits while the reader makes progress. */
async function untilRead(bus: Bus, recorder: Recorder<BrokersLine>): Promise<void> {
  const startedMs = performance.now();
  let lag = Number.POSITIVE_INFINITY;
  let progressMs = startedMs;
  while (lag > 0 && performance.now() - progressMs < stalledMs) {
    await wait(1_000);
    const lags = await bus.lag(group, topics);
    const lagNow = lags.reduce((sum, one) => sum + one.lag, 0);
    if (lagNow < lag) progressMs = performance.now();
    lag = lagNow;
  }
  if (lag > 0) console.log(`  the reader stopped with ${lag} messages left`);
  recorder.write({ kind: 'settled', afterMs: Math.round(performance.now() - startedMs), lag });
}

function report(
  history: readonly BrokersLine[],
  counts: Record<'SIGTERM' | 'SIGKILL', number>,
  { rounds, messagesLeast }: Size,
  isPlanted: boolean,
): Outcome {
  const { verdicts, figures } = checkBrokers(history);
  const { acknowledged, received, duplicates, refused, caught } = figures;
  const missing = tooFew(
    { ...counts, acknowledged, caught: isPlanted ? 1 : caught },
    // A run in which no send hit a moving leader shows nothing.
    { SIGTERM: rounds / 2, SIGKILL: rounds / 2, acknowledged: messagesLeast, caught: 1 },
  );
  for (const line of [...verdicts.lines(), ...missing.map(text => `  ${text}`)]) console.log(line);
  const { lost, unexpected } = verdicts.counts();
  return {
    isProven: verdicts.isGreen() && missing.length === 0,
    figures: {
      acknowledged,
      received,
      kept: verdicts.counts(kept).ok,
      lost,
      unexpected,
      again: duplicates,
      'publishes refused': refused,
      'of which resolved without an acknowledgement': caught,
      'brokers ended by SIGTERM': counts.SIGTERM,
      'by SIGKILL': counts.SIGKILL,
    },
  };
}

export const scenario = defineScenario({
  about: 'three Kafka brokers ended in turn by SIGTERM and kill -9 under load: what was acknowledged arrives',
  takes: 'about 4 minutes',
  long: 'a million messages',
  plants: { unacknowledged: 'publish does not compare the acknowledgements with what it sent' },
  run: ({ folder, isLong, plant }) => prove(folder, plant !== null, isLong ? sizes.long : sizes.usual),
});
