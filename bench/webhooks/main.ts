/**
 * `npm run bench:webhooks [-- --long]`: the automation service as a process of its own over real Kafka and Postgres,
 * from the commit in the owner's outbox to the receiver. About 5 minutes; `--long` measures the calm latency for
 * 5 minutes instead of 30 s. `--only stream,latency,backlog,due` runs parts.
 */
import { parseArgs } from 'node:util';
import { hostTestInfra } from '../../tools/infra/src/test-infra-host.ts';
import { peakRssBytes, watchOthers } from '../harness/cpu.ts';
import { finishRun } from '../harness/results.ts';
import { measureDueCosts, timeDueTogether } from './automations.ts';
import { bareDeliveries } from './bare.ts';
import { registerAll, runBacklog, runStream } from './deliveries.ts';
import { type Stack, startStack } from './stack.ts';

const { values } = parseArgs({
  options: { long: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const parts = values.only?.split(',') ?? ['stream', 'latency', 'backlog', 'due'];
const endpoints = 200;
const perAccount = 4;

const notes = [
  'One automation process (10 Postgres connections), real Kafka and Postgres, the producer a process that commits into an outbox as content does; receivers, producer and stores share the machine.',
  'Deliveries a second: 200 endpoints in 50 accounts, 240 events a second for 60 s, each to 4 endpoints; counted is what arrived within the 60 s.',
  'Latency: 100 events a second, one endpoint each; from the commit to the request at the receiver, one clock.',
  'Backlog: 30,000 events of one endpoint that hangs; then it answers, beside 100 events a second of others.',
  'The bare loop signs and posts the same body to the same endpoints with nothing else: what HTTP alone costs here.',
];

async function main(): Promise<void> {
  const beganAt = new Date();
  const infra = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
  process.once('SIGINT', () => process.exit(130));
  try {
    const machine = watchOthers();
    const measured = await measure();
    const othersPercent = Math.round(machine.othersShare() * 100);
    const noise = `Other processes used ${othersPercent} % of the machine meanwhile.`;
    if (values.only === undefined)
      finishRun('webhooks', beganAt, [...notes, noise], { ...measured, othersPercent });
    else console.log(JSON.stringify(measured, null, 2), noise);
  } finally {
    await infra.stop();
  }
}

async function measure(): Promise<Record<string, unknown>> {
  const measured: Record<string, unknown> = {};
  const say = (name: string, value: unknown): void => {
    measured[name] = value;
    console.log(`${name}: ${JSON.stringify(value)}`);
  };
  if (parts.some(part => part !== 'due-costs')) {
    const stack = await startStack(endpoints + 1);
    try {
      await measureStack(stack, say);
      say('peakRssMb', peakRssBytes(stack.automationPid) / 2 ** 20);
    } finally {
      await stack.stop();
    }
  }
  if (parts.includes('due')) {
    const costs = await measureDueCosts([1_000, 10_000, 100_000, 1_000_000]);
    say('dueCosts', costs);
    const [first, last] = [costs[0], costs.at(-1)];
    if (first && last) {
      say('dueClaimGrowth', last.claimMs / first.claimMs);
      say('dueNextGrowth', last.nextMs / first.nextMs);
    }
  }
  return measured;
}

async function measureStack(stack: Stack, say: (name: string, value: unknown) => void): Promise<void> {
  const many = stack.receivers.endpoints.slice(0, endpoints);
  const slow = stack.receivers.endpoints[endpoints];
  if (!slow) throw new Error('there is no endpoint for the backlog');
  const accountIds = await registerAll(stack, many, perAccount);
  // Warm-up: code compiled, connections open.
  await runStream(stack, { perSecond: 100, seconds: 5, accountIds, perAccount });
  if (parts.includes('stream')) {
    const bare = await bareDeliveries(many, 5);
    const stream = await runStream(stack, { perSecond: 240, seconds: 60, accountIds, perAccount });
    say('stream', { ...stream, ofBareLoop: stream.perSecond / bare });
    say('barePerSecond', bare);
  }
  const singles = await Promise.all(many.slice(0, 20).map(one => stack.register([one])));
  if (parts.includes('latency')) {
    const seconds = values.long ? 300 : 30;
    say('latency', await runStream(stack, { perSecond: 100, seconds, accountIds: singles, perAccount: 1 }));
  }
  if (parts.includes('backlog'))
    say('backlog', await runBacklog(stack, { events: 30_000, slow, others: singles }));
  if (parts.includes('due')) say('dueTogetherSeconds', await timeDueTogether(stack, 10_000));
}

await main();
