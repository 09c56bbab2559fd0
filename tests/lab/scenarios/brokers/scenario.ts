/**
 * `npm run test:brokers [-- --long] [--planted]`: four processes' worth of Hookline's bus publish batches over two topics
 * of three real Kafka brokers, and a group reads them, while the brokers are ended in turn by SIGTERM and by kill -9.
 * What `publish` acknowledged must arrive, and each key in order. At least 50,000 messages; `--long`: 1,000,000.
 * `--planted` runs it without the comparison of acknowledgements, to show that the run can fail.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bus } from '@hookline/shared/bus';
import { createLogger } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { startKafkaCluster } from '../../../../tools/infra/src/kafka.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { plantFolder } from '../../kit/product/planted.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { openRecorder, type Recorder, readHistory } from '../../kit/run/history.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { checkBrokers, kept } from './check.ts';
import { restartInTurn } from './faults.ts';
import type { BrokersLine } from './history.ts';
import { startPublishers } from './publishers.ts';

const { values } = parseArgs({
  options: { long: { type: 'boolean', default: false }, planted: { type: 'boolean', default: false } },
});
const publishers = 4;
const batchSize = 120;
const topics = ['proof.one', 'proof.two'];
const group = 'proof.reader';
const messagesLeast = values.long ? 1_000_000 : 50_000;
const rounds = values.long ? 18 : 6;
/** A short run need not fill the disk; a long one has a batch in flight at every moment. */
const gapMs = values.long ? 0 : 25;
/** One reader takes some thousands of messages a second, some hundreds on a machine that is busy otherwise. */
const settledMaxMs = values.long ? 1_200_000 : 300_000;
const receivedPerLine = 500;

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const log = createLogger({ service: 'proof', level: 'silent' });

type BusModule = typeof import('@hookline/shared/bus/kafka');

async function prove(folder: string): Promise<boolean> {
  const planted = values.planted ? plantUnacknowledged() : null;
  try {
    return await disturbAndCheck(folder, planted?.folder ?? join(repositoryRoot, 'packages/shared'));
  } finally {
    planted?.remove();
  }
}

/** @param source folder of the package whose bus is used. */
async function disturbAndCheck(folder: string, source: string): Promise<boolean> {
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
    const startedMs = performance.now();
    const counts = await restartInTurn(cluster, topics, rounds, recorder);
    while (publishing.acknowledged() < messagesLeast) await wait(200);
    await publishing.stop();
    const seconds = (performance.now() - startedMs) / 1_000;
    await untilRead(reader, recorder);
    flush();
    await Promise.all([...buses, reader].map(bus => bus.close(2_000)));
    return report(readHistory<BrokersLine>(recorder.file), counts, seconds);
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

/** @returns what writes down the messages that do not fill a line yet. */
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

async function untilRead(bus: Bus, recorder: Recorder<BrokersLine>): Promise<void> {
  const startedMs = performance.now();
  let lag = Number.NaN;
  await eventually(async () => {
    const lags = await bus.lag(group, topics);
    lag = lags.reduce((sum, one) => sum + one.lag, 0);
    if (lag > 0) throw new Error(`${lag} messages wait`);
  }, settledMaxMs).catch(error => console.log(`  ${(error as Error).message}`));
  recorder.write({ kind: 'settled', afterMs: Math.round(performance.now() - startedMs), lag });
}

function report(
  history: readonly BrokersLine[],
  counts: Record<'SIGTERM' | 'SIGKILL', number>,
  seconds: number,
): boolean {
  const { verdicts, figures } = checkBrokers(history);
  const { acknowledged, received, duplicates, refused, caught } = figures;
  const missing = tooFew(
    { ...counts, acknowledged, caught: values.planted ? 1 : caught },
    // A run in which no send met a moving leader shows nothing.
    { SIGTERM: rounds / 2, SIGKILL: rounds / 2, acknowledged: messagesLeast, caught: 1 },
  );
  for (const line of [...verdicts.lines(), ...missing.map(text => `  ${text}`)]) console.log(line);
  const { lost, unexpected } = verdicts.counts();
  console.log(
    `acknowledged ${acknowledged}, received ${received}, lost ${lost}, unexpected ${unexpected} ` +
      `(of ${verdicts.counts(kept).ok} kept), again ${duplicates}, publishes refused ${refused}, ` +
      `of which resolved without an acknowledgement ${caught}, brokers ended by SIGTERM ${counts.SIGTERM}, ` +
      `by SIGKILL ${counts.SIGKILL}, ${seconds.toFixed(0)} s`,
  );
  return verdicts.isGreen() && missing.length === 0;
}

await runProof('brokers', prove);
