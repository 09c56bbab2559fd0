/**
 * Webhooks of the distributed product over real Kafka, Redis and Postgres. Calm first (once, in order,
 * through a rotation), then kill -9 of a random service every 2 s while a fifth of 50 endpoints comes and
 * goes, then dispatchers killed in mid-request, then six days on an injected clock.
 */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { percentileOf } from '../../kit/checks/percentile.ts';
import { openVerdicts, tooFew } from '../../kit/checks/verdict.ts';
import { disturb } from '../../kit/faults/disturb.ts';
import { flap } from '../../kit/faults/flap.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { stopAllProcesses } from '../../kit/product/processes.ts';
import { services } from '../../kit/product/stack.ts';
import { openRecorder, readHistory } from '../../kit/run/history.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { type Receivers, startReceivers } from '../../kit/servers/receivers.ts';
import { checkWebhooks } from './check.ts';
import { drive, insist, prepareCustomer } from './drive.ts';
import type { WebhookLine } from './history.ts';
import { readCommitted, settle } from './settle.ts';
import { timeTakeOvers } from './take-over.ts';
import { proveVirtualTime, virtualTime } from './virtual-time.ts';

const accounts = 10;
const perAccount = 5;
const contents = 20;
const perSecond = 50;
const flapping = 10;
const takeOverMaxMs = 10_000;
/** No operator deploys a new secret to a running receiver faster than that. */
const deployMs = 2_000;

type Size = { faultsMs: number; trialsMin: number };

async function prove(folder: string, size: Size): Promise<Outcome> {
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
  const deliveries = await proveDeliveries(product, receivers, folder, size);
  await product.remove().catch(() => {});
  await receivers.close();
  await stopAllProcesses();
  const verdicts = openVerdicts([virtualTime]);
  const figures = await proveVirtualTime(verdicts);
  for (const line of verdicts.lines()) console.log(line);
  const { endpoints, attempts, spanHours, disabled } = figures;
  return {
    isProven: deliveries.isProven && verdicts.isGreen(),
    figures: {
      ...deliveries.figures,
      'endpoints on the injected clock': endpoints,
      attempts,
      'over hours': spanHours.toFixed(1),
      disabled,
    },
  };
}

async function proveDeliveries(
  product: DistributedProduct,
  receivers: Receivers,
  folder: string,
  { faultsMs, trialsMin }: Size,
): Promise<Outcome> {
  const calmMs = Math.max(20_000, faultsMs / 4);
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
  const isProven =
    verdicts.isGreen() &&
    isWithinDuplicates &&
    missing.length === 0 &&
    p99Ms <= takeOverMaxMs &&
    second.open === 0;
  return {
    isProven,
    figures: {
      events: figures.events,
      deliveries,
      lost: verdicts.counts().lost,
      'duplicates calm': figures.duplicatesCalm,
      'under faults': duplicatesFaults,
      inversions: figures.inversions,
      kills,
      'of automation': happened.automationKills,
      flaps: happened.flaps,
      refused: happened.refused,
      replayed: first.replayed + second.replayed,
      rotated: figures.rotated,
      'take-overs': tookMs.length,
      'take-over p99': `${(p99Ms / 1_000).toFixed(1)} s`,
    },
  };

  /**
   * One endpoint of every other account gets a new secret while events arrive; from then on either alone must
   * be enough.
   */
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

export const scenario = defineScenario({
  about:
    'deliveries in calm, under kills and flapping receivers, through rotations, and six days on an injected clock',
  takes: 'about 4 minutes',
  minutes: { usual: 0.6, long: 10 },
  long: 'ten minutes of faults, 100 take-overs',
  run: ({ folder, minutes, isLong }) =>
    prove(folder, { faultsMs: minutes * 60_000, trialsMin: isLong ? 100 : 25 }),
});
