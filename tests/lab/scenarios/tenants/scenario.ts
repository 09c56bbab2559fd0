/**
 * Two workspaces at five services with the memory limits of the deployment. One attacks with 20
 * keys, the other works; quiet and attacked times are measured in turn, so that what else the
 * machine does weighs on both. The windows of the keys are those of the API; that of the address is
 * lifted, since an attacker has many.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { scopes } from '@hookline/shared/contracts/scopes';
import { percentileOf } from '../../kit/checks/percentile.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { type Client, signUp } from '../../kit/clients/api.ts';
import { nodeOptionsOf } from '../../kit/product/deployment-limits.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { type PlantedService, type Planting, plant } from '../../kit/product/planted.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import {
  type Attack,
  type Attacker,
  editDecks,
  holdBodies,
  makeDeck,
  makeDecks,
  moveWebhooks,
  type SilentNameServer,
  startSilentNameServer,
  startTarpit,
  testWebhooks,
} from './attacks.ts';
import { type AttackName, judgeAttack } from './judge-attack.ts';

const attackingKeys = 20;
/**
 * Its decks are spread over so many that a fast machine does not reach the window of one. A workspace may
 * have 50.
 */
const othersKeys = 48;
const rounds = 3;
const readsOfRound = 100;
const decksOfRound = 20;
const attackingDecks = 14;
/** Quiet values below these are those of an idle machine; twice them would be its noise. */
const leastMs = { read: 50, deck: 500 };
const gatewayMaxMb = 384;
const silentNames = new URL('silent-names.ts', import.meta.url).href;
/** Six times what a round takes where the attack is felt at its worst allowed: requests that hang end it. */
const roundMaxMs = 60_000;

/** Requests that wait for the outside have no bound of their own: they take every socket to the service. */
const noBound: readonly Planting[] = [
  { file: 'src/deps.ts', find: 'const slowMax = 4;', replace: 'const slowMax = 10_000;' },
];

type Tenant = Client & { appId: string; keys: readonly string[] };
type Times = { reads: number[]; decks: number[]; failed: number };

async function prove(isPlanted: boolean): Promise<Outcome> {
  const tarpit = await startTarpit();
  const names = await startSilentNameServer();
  let planted: PlantedService | null = null;
  let product: DistributedProduct | null = null;
  try {
    planted = isPlanted ? plant('gateway', noBound) : null;
    product = await startDistributed(
      {
        ...{ LIMIT_PER_IP: '1000000', SIGNUP_CREDITS: '100000', DAILY_GENERATIONS: '100000' },
        WEBHOOK_ALLOW_TARGETS: tarpit.target,
      },
      {
        replicas: { gateway: 1, content: 1, scheduling: 1, automation: 1, analytics: 1 },
        entries: planted ? { gateway: planted.entry } : {},
        envOf: service => ({
          NODE_OPTIONS:
            service === 'automation'
              ? `${nodeOptionsOf(service)} --import=${silentNames}`
              : nodeOptionsOf(service),
          SILENT_NAMES: names.address,
        }),
      },
    );
    if (!product) throw new Error('Kafka or Redis is missing');
    return await compare(product, tarpit.url, names);
  } finally {
    tarpit.close();
    names.close();
    await product?.remove();
    planted?.remove();
  }
}

async function compare(
  product: DistributedProduct,
  tarpitUrl: string,
  names: SilentNameServer,
): Promise<Outcome> {
  const [other, attacker] = [
    await newTenant(product.baseUrl, othersKeys),
    await newTenant(product.baseUrl, attackingKeys),
  ];
  const webhookId = await addWebhook(attacker, tarpitUrl);
  const decks: string[] = [];
  for (let deck = 0; deck < attackingDecks; deck += 1)
    decks.push((await makeDeck({ ...attacker, token: attacker.keys[deck] }, 2)).data.id);
  // Freshly started processes are slow for a moment.
  await measure(other, 20, 5);

  const figures: Figures = {};
  const happened: Record<string, number> = {};
  const complaints: string[] = [];
  const attack = async (name: AttackName, begin: () => Promise<Attack> | Attack, decksAsked: number) => {
    const [quiet, during] = [noTimes(), noTimes()];
    const outcomes = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      add(quiet, await measure(other, readsOfRound, decksAsked));
      const begun = await begin();
      await wait(1_000);
      add(during, await measure(other, readsOfRound, decksAsked));
      await begun.stop();
      for (const [outcome, count] of begun.outcomes)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    }
    console.log(`  ${name}: the attacker got ${JSON.stringify(Object.fromEntries(outcomes))}`);
    const judged = judgeAttack(name, outcomes);
    happened[name] = judged.effect;
    complaints.push(...judged.complaints);
    complaints.push(...judge(name, quiet, during, figures));
  };
  await attack('hanging webhooks', () => testWebhooks(attacker, webhookId), 0);
  await attack('moved webhooks', () => moveWebhooks(attacker, webhookId, names), 0);
  await attack('edits', () => editDecks(attacker, decks), decksOfRound);
  await attack('decks', () => makeDecks(attacker), decksOfRound);
  await attack('unfinished bodies', () => holdBodies(product.baseUrl), 0);

  const [gateway] = product.replicas('gateway');
  if (!gateway) complaints.push('the gateway ended');
  else {
    const mb = peakMb(gateway.pid);
    figures['gateway at most, MB'] = mb;
    if (mb > gatewayMaxMb) complaints.push(`the gateway held ${mb} MB`);
  }
  complaints.push(
    ...tooFew(happened, {
      'hanging webhooks': 10,
      'moved webhooks': 10,
      // 30 a minute are drawn, and the rounds of a fast machine take 12 s together.
      edits: 5,
      decks: 50,
      'unfinished bodies': 100,
    }),
  );
  for (const complaint of complaints) console.log(`  ${complaint}`);
  return { isProven: complaints.length === 0, figures: { ...figures, wrong: complaints.length } };
}

function judge(name: string, quiet: Times, during: Times, figures: Figures): string[] {
  const complaints = during.failed > 0 ? [`${name}: ${during.failed} requests of the other failed`] : [];
  for (const kind of ['reads', 'decks'] as const) {
    if (quiet[kind].length === 0) continue;
    const [before, after] = [p99Of(quiet[kind]), p99Of(during[kind])];
    const least = kind === 'reads' ? leastMs.read : leastMs.deck;
    const said = `p99 ${before} quiet, ${after} attacked; median ${medianOf(quiet[kind])}, ${medianOf(during[kind])} ms`;
    console.log(`  ${name}, ${kind}: ${said}`);
    figures[`${name}, ${kind}`] = said;
    // Decks that credits pay for take half of the slots: twice the time of drawing, and a turn to wait for.
    const factor = name === 'decks' ? 3 : 2;
    if (after > factor * Math.max(before, least))
      complaints.push(`${name}: ${kind} of the other took ${said}`);
  }
  return complaints;
}

async function newTenant(baseUrl: string, keyCount: number): Promise<Tenant> {
  const client = await signUp(baseUrl);
  const { api, session, key } = client;
  const description =
    'Plan a slatted bed frame from what your shop sells, with a cutting list and a drawing.';
  const listing = { name: 'Lattenrost', description };
  const app = await api<{ id: string }>('POST', '/apps', { token: key, body: { listing } });
  if (app.error) throw new Error(app.error.message);
  const keys = [key];
  while (keys.length < keyCount) {
    const body = { name: `key ${keys.length}`, scopes };
    keys.push((await api<{ key: string }>('POST', '/keys', { token: session, body })).data.key);
  }
  return { ...client, appId: app.data.id, keys };
}

async function addWebhook({ api, key }: Tenant, url: string): Promise<string> {
  const made = await api<{ id: string }>('POST', '/webhooks', {
    token: key,
    body: { url, events: ['content.approved'] },
  });
  if (made.error) throw new Error(made.error.message);
  return made.data.id;
}

/** Decks of the other workspace, over all rounds. */
let decksMade = 0;

/**
 * Reads and decks of the other workspace, each one after the other, both at the same
 * time, for at most a minute.
 */
async function measure({ api, keys, appId }: Attacker, reads: number, decks: number): Promise<Times> {
  const endsAtMs = performance.now() + roundMaxMs;
  let failed = 0;
  const timed = async (
    count: number,
    pauseMs: number,
    request: (at: number) => Promise<{ status: number }>,
  ) => {
    const times: number[] = [];
    for (let at = 0; at < count && performance.now() < endsAtMs; at += 1) {
      const beganMs = performance.now();
      const { status } = await request(at);
      if (status >= 300) failed += 1;
      times.push(Math.round(performance.now() - beganMs));
      await wait(pauseMs);
    }
    return times;
  };
  const [readTimes, deckTimes] = await Promise.all([
    timed(reads, 20, at => api('GET', '/automations', { token: keys[at % keys.length] })),
    timed(decks, 0, () => makeDeck({ api, token: keys[decksMade++ % keys.length], appId }, 6)),
  ]);
  return { reads: readTimes, decks: deckTimes, failed };
}

function noTimes(): Times {
  return { reads: [], decks: [], failed: 0 };
}

function add(to: Times, { reads, decks, failed }: Times): void {
  to.reads.push(...reads);
  to.decks.push(...decks);
  to.failed += failed;
}

const p99Of = (times: readonly number[]): number =>
  percentileOf(
    times.toSorted((a, b) => a - b),
    0.99,
  );
const medianOf = (times: readonly number[]): number =>
  percentileOf(
    times.toSorted((a, b) => a - b),
    0.5,
  );

function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}

export const scenario = defineScenario({
  about:
    'one workspace attacks: webhooks that hang, hosts whose names never resolve, edits and decks in a loop, bodies that never end; another works',
  takes: 'about 5 minutes; 7 with the plant',
  plants: { 'no-bound': 'requests that wait for the outside take every socket' },
  run: ({ plant: planted }) => prove(planted !== null),
});
