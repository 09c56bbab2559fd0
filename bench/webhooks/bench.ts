/**
 * The automation service as a separate process over real Kafka and Postgres, from the commit in the owner's
 * outbox to the receiver.
 */
import { defineBench } from '../harness/bench.ts';
import { timeDueTogether } from './automations.ts';
import { registerAll, runBacklog, runStream } from './deliveries.ts';
import { type Stack, startStack } from './stack.ts';

const allParts = ['stream', 'latency', 'backlog', 'due'];
const endpoints = 200;
const perAccount = 4;

const notes = [
  'One automation process (10 Postgres connections), real Kafka and Postgres, the producer a process that commits into an outbox as content does; receivers, producer and stores share the machine.',
  'Deliveries a second: 200 endpoints in 50 accounts, 240 events a second for 60 s, each to 4 endpoints; counted is what arrived within the 60 s.',
  'Latency: 100 events a second, one endpoint each; from the commit to the request at the receiver, one clock.',
  'Backlog: 30,000 events of one endpoint that hangs; then it answers, beside 100 events a second of others.',
];

async function measure(parts: readonly string[], isLong: boolean): Promise<Record<string, unknown>> {
  const measured: Record<string, unknown> = {};
  const say = (name: string, value: unknown): void => {
    measured[name] = value;
    console.log(`${name}: ${JSON.stringify(value)}`);
  };
  const stack = await startStack(endpoints + 1);
  try {
    await measureStack(stack, parts, isLong, say);
    return measured;
  } finally {
    await stack.stop();
  }
}

async function measureStack(
  stack: Stack,
  parts: readonly string[],
  isLong: boolean,
  say: (name: string, value: unknown) => void,
): Promise<void> {
  const many = stack.receivers.endpoints.slice(0, endpoints);
  const slow = stack.receivers.endpoints[endpoints];
  if (!slow) throw new Error('there is no endpoint for the backlog');
  const accountIds = await registerAll(stack, many, perAccount);
  // Warm-up: compiles the code and opens the connections.
  await runStream(stack, { perSecond: 100, seconds: 5, accountIds, perAccount });
  if (parts.includes('stream'))
    say('stream', await runStream(stack, { perSecond: 240, seconds: 60, accountIds, perAccount }));
  const singles = await Promise.all(many.slice(0, 20).map(one => stack.register([one])));
  if (parts.includes('latency')) {
    const seconds = isLong ? 300 : 30;
    say('latency', await runStream(stack, { perSecond: 100, seconds, accountIds: singles, perAccount: 1 }));
  }
  if (parts.includes('backlog'))
    say('backlog', await runBacklog(stack, { events: 30_000, slow, others: singles }));
  if (parts.includes('due')) say('dueTogetherSeconds', await timeDueTogether(stack, 10_000));
}

export const bench = defineBench({
  about: 'webhooks from the commit in the outbox to the receiver, and automations due together',
  takes: 'about 6 minutes',
  flags: {
    long: { usual: false, about: 'the calm latency for 5 minutes instead of 30 s' },
    only: { usual: '', about: `of ${allParts.join(',')}` },
  },
  async run({ flags }) {
    const parts = flags.only === '' ? allParts : flags.only.split(',');
    return { notes, measured: await measure(parts, flags.long), isPart: flags.only !== '' };
  },
});
