/**
 * All faults at once. Five services with two replicas each over real Postgres, Kafka and Redis, the simulated
 * platform, 50 receivers of webhooks and 50 requests a second, while replicas are killed, suspended and cut
 * off, the stores die and come back, and clocks step. Then everything is healed, and what was answered,
 * delivered and stored must agree.
 */

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { topics } from '@hookline/shared/events';
import { createLogger } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { readPlatformLog, untilPlatformRests } from '../../kit/checks/platform-log.ts';
import { putFaults } from '../../kit/clients/api.ts';
import { createHttpClient } from '../../kit/clients/http-client.ts';
import { flap } from '../../kit/faults/flap.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { plant } from '../../kit/product/planted.ts';
import { openRecorder, type Recorder, readHistory } from '../../kit/run/history.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { type Endpoint, type Receivers, startReceivers } from '../../kit/servers/receivers.ts';
import { watchAlone } from './alone.ts';
import { checkChaos } from './check.ts';
import { prepareCustomers } from './customers.ts';
import { readEvidence } from './evidence.ts';
import { beginFaults, platformFaults } from './faults.ts';
import { type Ground, openGround } from './ground.ts';
import type { ChaosLine } from './history.ts';
import { startLoad } from './load.ts';
import { type Defect, type DefectName, defects } from './plantings.ts';
import { report } from './report.ts';
import { aheadMs } from './schedule-steps.ts';
import { pauseAutomations, replayCreated, settle, untilReady } from './settle.ts';
import { createSteps } from './steps.ts';

const customersCount = 10;
const endpointsEach = 5;
const flapping = 5;
const perSecond = 50;
const calmMs = 5_000;
const connectionsMax = 2_000;

async function prove(folder: string, minutes: number, defect: Defect | null): Promise<Outcome> {
  const planted = defect && plant(defect.service, defect.plantings);
  const recorder = openRecorder<ChaosLine>(join(folder, 'history.jsonl'));
  const receivers = await startReceivers(customersCount, endpointsEach, recorder);
  const ground = await openGround({
    folder,
    webhookTargets: receivers.endpoints.map(({ port }) => `127.0.0.1:${port}`),
    entries: defect && planted ? { [defect.service]: planted.entry } : {},
  });
  try {
    return await disturbAndCheck(ground, receivers, recorder, folder, minutes);
  } finally {
    planted?.remove();
    await ground.close();
    await receivers.close();
  }
}

async function disturbAndCheck(
  ground: Ground,
  { endpoints }: Receivers,
  recorder: Recorder<ChaosLine>,
  folder: string,
  minutes: number,
): Promise<Outcome> {
  const runMs = minutes * 60_000;
  const { product } = ground.stack;
  const customers = await prepareCustomers(product, endpoints, recorder, minutes);
  const client = createHttpClient([new URL(product.baseUrl).origin], connectionsMax);
  const unwatch = watchAlone(product, recorder);
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const load = startLoad({ client, next: createSteps(customers, recorder), perSecond, recorder });
  await wait(calmMs);
  await putFaults(product.simulatorsUrl, platformFaults);
  const faults = beginFaults(ground, runMs, recorder);
  const flaps = flap(endpoints.slice(0, flapping));
  await plantPoison(ground, recorder, runMs / 2);
  await wait(runMs / 2);
  flaps.stop();
  await faults.heal();
  lag.disable();
  recorder.write({ kind: 'healed' });
  await untilReady(product, recorder);
  await load.stop();
  unwatch();
  await load.finish();
  // Last of all, so that posts that waited for a replica get it too.
  const dropped = await countDropped(product.simulatorsUrl);
  await putFaults(product.simulatorsUrl, []);
  for (const one of faults.disturbance.fallen) {
    const [whom = '', ...text] = one.split(': ');
    recorder.write({ kind: 'fell', whom, text: text.join(': ') });
  }
  const db = openAsSuperuser(product.databaseUrl);
  await pauseAutomations(db, client, customers, recorder);
  // The load's last schedules are due by then; firings of a clock that was ahead are due minutes later.
  const until = new Date(Date.now() + aheadMs.most);
  await settle(db, client, customers, accountOf(endpoints), until, recorder);
  await replayCreated(client, customers, readHistory<ChaosLine>(recorder.file), recorder);
  await untilPlatformRests(product.simulatorsDir);
  const evidence = await readEvidence(db, ground.kafka.brokers, until);
  const platform = readPlatformLog(product.simulatorsDir);
  await db.close();
  client.close();
  // Stored next to the history, so that a verdict can be investigated afterwards.
  writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence));
  writeFileSync(join(folder, 'platform.json'), JSON.stringify(platform));
  keepOutput(ground, folder);
  console.log(
    `  kept in ${relative(process.cwd(), folder)}: history, tables, the platform's log, what each process printed`,
  );
  const history = readHistory<ChaosLine>(recorder.file);
  const { disturbance, counts } = faults;
  const happened = { ...counts, kills: disturbance.kills, 'answers dropped': dropped, flaps: flaps.downs() };
  return report({ history, evidence, platform }, checkChaos({ history, evidence, platform }), {
    happened,
    runMs,
    sent: load.sent(),
    silent: load.silent(),
    failedStarts: disturbance.failedStarts,
    lagMs: { p50: lag.percentile(50) / 1e6, p99: lag.percentile(99) / 1e6 },
  });
}

/** Messages that are not events, one on each topic, in the middle of the run. */
async function plantPoison(ground: Ground, recorder: Recorder<ChaosLine>, afterMs: number): Promise<void> {
  await wait(afterMs);
  const log = createLogger({ service: 'proof', level: 'silent' });
  const bus = createKafkaBus({ brokers: ground.kafka.brokers.split(','), clientId: 'proof', log });
  const batch = topics.map(topic => ({ topic, key: 'poison', value: 'nonsense', headers: {} }));
  await eventually(() => bus.publish(batch), 60_000);
  await bus.close();
  for (const { topic, key } of batch) recorder.write({ kind: 'poison', topic, key });
}

async function countDropped(simulatorsUrl: string): Promise<number> {
  const faults = (await (
    await fetch(`${simulatorsUrl}/_control/faults`, { headers: controlHeaders })
  ).json()) as { hits: number }[];
  return faults.reduce((sum, { hits }) => sum + hits, 0);
}

function accountOf(endpoints: readonly Endpoint[]): (webhookId: string) => number | undefined {
  return webhookId => endpoints.find(one => one.webhookId === webhookId)?.account;
}

function keepOutput({ stack }: Ground, folder: string): void {
  for (const service of stack.fronts.keys()) {
    const output = stack.product.everStarted(service).map(one => `== ${one.pid}\n${one.output()}`);
    writeFileSync(join(folder, `${service}.log`), output.join('\n'));
  }
}

export const scenario = defineScenario<Record<never, never>, DefectName>({
  about: 'kills, stops, dead stores, cuts and clock steps under 50 requests a second, then every invariant',
  takes: 'about 5 minutes',
  minutes: { usual: 1.5, long: 10 },
  long: 'ten minutes of faults',
  plants: {
    fence: 'what is called again is posted again',
    refused: 'a webhook that the receiver refused counts as delivered',
    revocation: 'a revoked key is believed until what the gateways remember of it runs out',
  },
  run: ({ folder, minutes, plant }) => prove(folder, minutes, plant && defects[plant]),
});
