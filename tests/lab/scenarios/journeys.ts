/**
 * Journeys from a content to its webhooks through five services with two replicas each. A collector receives
 * the spans, and each journey must be one complete trace of declared names. The logs are checked afterwards.
 */
import { checkLogsOf, keepLogs, sayLogs } from '../kit/checks/kept-logs.ts';
import { prepareCreators } from '../kit/clients/creators.ts';
import { journeyEvents, judgeTraces, makeJourneys, registerWebhook } from '../kit/clients/journeys.ts';
import { startStack } from '../kit/product/stack.ts';
import { defineScenario, type Outcome } from '../kit/run/scenario.ts';
import { startTraceCollector } from '../kit/servers/trace-collector.ts';
import { startWebhookReceiver } from '../kit/servers/webhook-receiver.ts';

// The platform accepts six posts a minute per creator.
const sizes = { usual: { journeys: 200, creators: 40 }, long: { journeys: 1_000, creators: 100 } };
const settleWithinMs = 240_000;

async function prove(folder: string, size: (typeof sizes)['usual']): Promise<Outcome> {
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
  await Promise.all([collector.close(), receiver.close()]);
  await stack.close();
  return {
    isProven: complaints.length === 0,
    figures: {
      journeys: traces.journeys,
      whole: traces.whole,
      spans: traces.spans,
      linked: traces.linked,
      webhooks: told,
      'log lines': logs.lines,
      wrong: complaints.length,
    },
  };
}

export const scenario = defineScenario({
  about: 'each journey from a content to its webhooks is one whole trace of declared names; then the logs',
  takes: 'about 3 minutes',
  long: '1,000 journeys',
  run: ({ folder, isLong }) => prove(folder, isLong ? sizes.long : sizes.usual),
});
