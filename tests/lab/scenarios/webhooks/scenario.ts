/**
 * `npm run test:webhooks [-- --long | --minutes N]`: webhooks of the distributed product over real Kafka, Redis and
 * Postgres. Calm first (once, in order, through a rotation), then kill -9 of a random service every 2 s while a fifth of
 * 50 endpoints comes and goes, then dispatchers killed in mid-request, then six days on an injected clock.
 * About 2 minutes, of which `--minutes` sets the faulty part (default 0.6; `--long` 10).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentileOf } from '../../../../bench/harness/figures.ts';
import { openVerdicts, tooFew } from '../../kit/checks/verdict.ts';
import { disturb } from '../../kit/faults/disturb.ts';
import { flap } from '../../kit/faults/flap.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { stopAllProcesses } from '../../kit/product/processes.ts';
import { services } from '../../kit/product/stack.ts';
import { openRecorder, readHistory } from '../../kit/run/history.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { type Receivers, startReceivers } from '../../kit/servers/receivers.ts';
import { checkWebhooks } from './check.ts';
import { drive, insist, prepareCustomer } from './drive.ts';
import type { WebhookLine } from './history.ts';
import { readCommitted, settle } from './settle.ts';
import { timeTakeOvers } from './take-over.ts';
import { proveVirtualTime, virtualTime } from './virtual-time.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, long: { type: 'boolean', default: false } },
});
const faultsMs = Number(values.minutes ?? (values.long ? 10 : 0.6)) * 60_000;
const calmMs = Math.max(20_000, faultsMs / 4);
const accounts = 10;
const perAccount = 5;
const contents = 20;
const perSecond = 50;
const flapping = 10;
const trialsMin = values.long ? 100 : 25;
const takeOverMaxMs = 10_000;
/** Nobody puts a new secret into a running receiver faster than that. */
const deployMs = 2_000;

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function prove(folder: string): Promise<boolean> {
  const recorder = openRecorder<WebhookLine>(join(folder, 'history.jsonl'));
  const receivers = await startReceivers(accounts, perAccount, recorder);
  const product = await startDistributed(
    {
      ...{ LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000' },
      ...{ SIGNUP_CREDITS: '1000', LOG_LEVEL: 'warn' },
      WEBHOOK_ALLOW_TARGETS: receivers.endpoints.map(({ port }) => `127.0.0.1:${port}`).join(),
    },
    { replicas: { gateway: 1, content: 1, scheduling: 1, automation: 2, analytics: 1 } },
  );
  if (!product) throw new Error('Kafka or Redis is missing');
  const deliveries = await proveDeliveries(product, receivers, folder);
  await product.remove().catch(() => {});
  await receivers.close();
  await stopAllProcesses();
  const verdicts = openVerdicts([virtualTime]);
  const figures = await proveVirtualTime(verdicts);
  for (const line of verdicts.lines()) console.log(line);
  const { endpoints, attempts, spanHours, disabled } = figures;
  console.log(
    `${deliveries.summary}, on the injected clock: endpoints ${endpoints}, attempts ${attempts} over ${spanHours.toFixed(1)} h, disabled ${disabled}`,
  );
  return deliveries.isProven && verdicts.isGreen();
}

async function proveDeliveries(product: DistributedProduct, receivers: Receivers, folder: string) {
  const recorder = openRecorder<WebhookLine>(join(folder, 'history.jsonl'));
  const { endpoints } = receivers;
  const customers = await Promise.all(
    Array.from({ length: accounts }, (_, account) =>
      prepareCustomer(product.baseUrl, account, endpoints, contents, recorder),
    ),
  );
  const db = openAsSuperuser(product.databaseUrl);
  const decisions = new Map<string, 'approve' | 'reject'>();
  const begin = () => drive(customers, perSecond, decisions, recorder);
  const patience = (ms: number) => settle(db, product.baseUrl, customers, endpoints, ms, recorder);

  recorder.write({ kind: 'phase', phase: 'calm' });
  let driving = begin();
  const rotations = await rotateUnderTraffic();
  await driving.stop();
  await patience(20_000);

  recorder.write({ kind: 'phase', phase: 'faults' });
  driving = begin();
  const killing = disturb(product, {
    services,
    killEveryMs: 2_000,
    onFault: (what, _pid, service) => {
      if (what === 'kill') recorder.write({ kind: 'kill', service });
    },
  });
  const flaps = flap(endpoints.slice(0, flapping));
  await wait(faultsMs);
  flaps.stop();
  await killing.heal();
  await driving.stop();
  await wait(3_000);
  recorder.write({ kind: 'phase', phase: 'settling' });
  const first = await patience(90_000);

  recorder.write({ kind: 'phase', phase: 'take-over' });
  driving = begin();
  const tookMs = await timeTakeOvers(product, receivers, trialsMin, recorder);
  await driving.stop();
  recorder.write({ kind: 'phase', phase: 'settling' });
  const second = await patience(60_000);

  const committed = await readCommitted(db);
  await db.close();
  const history = readHistory<WebhookLine>(recorder.file);
  const { verdicts, figures, isWithinDuplicates } = checkWebhooks(history, committed);
  const { kills, killsOf } = killing;
  const happened = {
    kills,
    automationKills: killsOf.automation ?? 0,
    flaps: flaps.downs(),
    refused: history.filter(line => line.kind === 'arrived' && !line.isTaken).length,
    rotations,
    takeOvers: tookMs.length,
    events: figures.events,
  };
  const wanted = {
    ...{
      kills: Math.floor(faultsMs / 5_000),
      automationKills: 1,
      flaps: flapping,
      refused: 20,
      rotations: 5,
    },
    ...{ takeOvers: trialsMin, events: Math.floor((perSecond * faultsMs) / 3_000) },
  };
  const missing = tooFew(happened, wanted);
  for (const line of [...verdicts.lines(), ...missing.map(text => `  ${text}`)]) console.log(line);
  const p99Ms = tookMs.length > 0 ? percentileOf(tookMs, 0.99) : Number.POSITIVE_INFINITY;
  const { duplicatesFaults, deliveries } = figures;
  const summary =
    `events ${figures.events}, deliveries ${deliveries}, lost ${verdicts.counts().lost}, ` +
    `duplicates calm ${figures.duplicatesCalm}, under faults ${duplicatesFaults} (${((100 * duplicatesFaults) / deliveries).toFixed(2)} %), ` +
    `inversions ${figures.inversions}, kills ${kills} (automation ${happened.automationKills}), flaps ${happened.flaps}, ` +
    `refused ${happened.refused}, replayed ${first.replayed + second.replayed}, rotated ${figures.rotated}, ` +
    `take-over p99 ${(p99Ms / 1_000).toFixed(1)} s of ${tookMs.length}`;
  const isProven =
    verdicts.isGreen() &&
    isWithinDuplicates &&
    missing.length === 0 &&
    p99Ms <= takeOverMaxMs &&
    second.open === 0;
  return { summary, isProven };

  /** One endpoint of every other account gets a new secret while events arrive; from then on either alone must do. */
  async function rotateUnderTraffic(): Promise<number> {
    let count = 0;
    for (const one of endpoints.filter(({ endpoint }) => endpoint % 8 === 3)) {
      await wait(calmMs / 8);
      const { api, key: token } = customers[one.account] as (typeof customers)[number];
      const rotated = await insist(() =>
        api('POST', `/webhooks/${one.webhookId}/rotate`, { token, body: {} }),
      );
      setTimeout(() => one.secrets.push(rotated.secret as string), deployMs);
      count += 1;
    }
    await wait(Math.max(deployMs, calmMs / 8));
    return count;
  }
}

await runProof('webhooks', prove);
