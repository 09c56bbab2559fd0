/**
 * `npm run test:journeys [-- --long]`: journeys from a content to its webhooks through five services with two replicas
 * each; a collector of ours takes the spans, and each journey must be one whole trace of declared names. Then the logs.
 */
import { parseArgs } from 'node:util';
import { checkLogsOf, keepLogs, sayLogs } from '../kit/checks/kept-logs.ts';
import { prepareCreators } from '../kit/clients/creators.ts';
import { journeyEvents, judgeTraces, makeJourneys, registerWebhook } from '../kit/clients/journeys.ts';
import { startStack } from '../kit/product/stack.ts';
import { runProof } from '../kit/run/proof-run.ts';
import { startTraceCollector } from '../kit/servers/trace-collector.ts';
import { startWebhookReceiver } from '../kit/servers/webhook-receiver.ts';

const { values } = parseArgs({ options: { long: { type: 'boolean', default: false } } });
// The platform takes six posts a minute of a creator.
const size = values.long ? { journeys: 1_000, creators: 100 } : { journeys: 200, creators: 40 };
const settleWithinMs = 240_000;

await runProof('journeys', async folder => {
  const [collector, receiver] = [await startTraceCollector(), await startWebhookReceiver()];
  const stack = await startStack({ WEBHOOK_ALLOW_TARGETS: receiver.target, ...collector.env });
  if (!stack) throw new Error('Kafka or Redis is missing');
  const { product } = stack;
  const creators = await prepareCreators(product, { count: size.creators, decks: 0 });
  const secret = await registerWebhook(creators, receiver.url);
  const journeys = await makeJourneys(creators, size.journeys);
  const traces = await judgeTraces(collector, journeys, settleWithinMs);
  keepLogs(product, folder);
  const asked = journeys.flatMap(journey => journey.requests);
  const logs = await checkLogsOf(product, asked, [creators.client.key, creators.client.session, secret]);
  const told = receiver.received.length;
  const complaints = [
    ...traces.complaints,
    ...logs.complaints,
    ...(told < size.journeys * journeyEvents.length ? [`only ${told} webhooks came`] : []),
  ];
  for (const complaint of complaints.slice(0, 40)) console.log(`  ${complaint}`);
  console.log(sayLogs(logs));
  console.log(
    `journeys ${traces.journeys}, one whole trace ${traces.whole}, spans ${traces.spans}, linked ${traces.linked}, webhooks ${told}, wrong ${complaints.length}, ${Math.round(performance.now() / 1_000)} s`,
  );
  await Promise.all([collector.close(), receiver.close()]);
  await stack.close();
  return complaints.length === 0;
});
