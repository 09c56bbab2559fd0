/**
 * One database and one victim after another: each is killed at a point of the journey, the next one recovers.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createMigratedDatabase, signingKeysFor, testSecrets } from '@hookline/testing/service-harness';
import pg from 'pg';
import { type Attempt, type Journey, passTime, type World } from './journeys.ts';
import { openLedger } from './ledger.ts';
import { loadVictim, type Victim } from './victims.ts';

export type LaneResult = {
  journey: string;
  /** Every point passed in a clean run. */
  points: string[];
  /** Kills per point. */
  kills: Map<string, number>;
  /** Violations, one line each. */
  complaints: string[];
};

/**
 * A point that depends on the content (an image that already exists) is tried with other contents. With four
 * tries, 21 of 8,000 kills did not happen in a run of 1,500 decks a database.
 */
const triesMax = 12;
const drawnEvery = 5;
const idleMs = 2_600;
const diesWithinMs = 2_000;
const graceMs = 1_000;
const nowhere = 'http://127.0.0.1:9';

/**
 * `isPlanted`: the victims have the defect of `plant.ts`. `isStruck`: the points to kill at, counted from 0;
 * all of them when absent. `complaintsMax`: ends after this many (each unrecovered kill is awaited for 40 s).
 */
export type WalkOptions = {
  isPlanted?: boolean;
  isStruck?: (point: string, at: number) => boolean;
  complaintsMax?: number;
};

/** @param mayGoOn called before each round after the first, which is always completed */
export async function walk(
  journey: Journey,
  mayGoOn: (round: number) => boolean,
  { isPlanted = false, isStruck = () => true, complaintsMax = Number.POSITIVE_INFINITY }: WalkOptions = {},
): Promise<LaneResult> {
  const lane = await openLane(journey, isPlanted);
  const result: LaneResult = { journey: journey.name, points: [], kills: new Map(), complaints: [] };
  try {
    const first = await lane.startNext();
    await journey.prepare(lane.world, first.url);
    result.points = (await lane.findPoints(first)).filter(isStruck);
    let victim = first;
    const isFull = () => result.complaints.length >= complaintsMax;
    for (let round = 0; !isFull() && (round === 0 || mayGoOn(round)); round += 1) {
      for (const point of result.points) {
        if (!isFull()) victim = await lane.strike(victim, point, round, result);
      }
    }
    result.complaints.push(...(await lane.ledger.checkWhole()));
    await victim.end();
  } finally {
    await lane.close();
  }
  return result;
}

type Started = Victim & { url: string };

async function openLane(journey: Journey, isPlanted: boolean) {
  const database = await createMigratedDatabase();
  const admin = new pg.Pool({ connectionString: database.url, max: 4 });
  admin.on('error', () => {});
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-crash-'));
  const world: World = { database, admin, dataDir, aheadMs: 0, upstreamUrl: '', apiKeys: [] };
  const ledger = openLedger(admin);
  const closeUpstream = await journey.open(world);
  let loading = loadVictim(journey.victim);
  let polls: string[] = [];

  async function startNext(): Promise<Started> {
    const victim = await loading;
    loading = loadVictim(journey.victim);
    loading.catch(() => {});
    const { url = '' } = await victim.order({
      do: 'start',
      env: environmentOf(world, journey.victim),
      busUrl: database.roleUrl('bus'),
      aheadMs: world.aheadMs,
      polls,
      isPlanted,
    });
    return { ...victim, url };
  }

  /** The points of an undisturbed journey, and the process's own background statements. */
  async function findPoints(victim: Started): Promise<string[]> {
    await victim.order({ do: 'listen' });
    await wait(idleMs);
    polls = (await victim.order({ do: 'watch', point: null })).polls ?? [];
    const attempt = await journey.begin(world, victim.url, 'deck');
    ledger.expectContent(attempt.accountId);
    await ledger.isReady(attempt.accountId);
    await ledger.settled();
    const { points = [] } = await victim.order({ do: 'tell' });
    await journey.end(world, victim.url, attempt);
    return points;
  }

  /** False when everything is done and it is still alive: the point did not occur for this content. */
  async function dies(victim: Started, begun: Attempt): Promise<boolean> {
    if (await victim.diesWithin(diesWithinMs)) return true;
    // Unfinished work is reported by the recovery that follows.
    await ledger.isReady(begun.accountId).catch(() => {});
    return await victim.diesWithin(graceMs);
  }

  /** False when it reached its point after all, on a slow machine. */
  async function isDisarmed(victim: Started): Promise<boolean> {
    try {
      await victim.order({ do: 'watch', point: null });
      return true;
    } catch (error) {
      if (await victim.diesWithin(0)) return false;
      throw error;
    }
  }

  async function strike(victim: Started, point: string, round: number, result: LaneResult): Promise<Started> {
    const isDrawn = round % drawnEvery === 1 || /image/.test(point);
    for (let attempt = 1; attempt <= triesMax; attempt += 1) {
      // Drawing is half of a journey's cost: one round in five draws, the others only cover points not
      // reached without it.
      const kind = isDrawn || attempt > 1 ? 'deck' : 'plain';
      await victim.order({ do: 'watch', point });
      const begun = await journey.begin(world, victim.url, kind);
      ledger.expectContent(begun.accountId);
      if (!(await dies(victim, begun)) && (await isDisarmed(victim))) {
        await recover(begun, victim.url, point, result);
        continue;
      }
      result.kills.set(point, (result.kills.get(point) ?? 0) + 1);
      // Every other round the reaper comes first: it has refunded the credit before the client repeats.
      await passTime(world, journey.victim, round % 2 === 1);
      const next = await startNext();
      if (round % 2 === 1) await ledger.settled({ reservationsOnly: true });
      await recover(begun, next.url, point, result);
      return next;
    }
    result.complaints.push(`${point}: never reached`);
    return victim;
  }

  async function recover(begun: Attempt, url: string, point: string, result: LaneResult): Promise<void> {
    try {
      const fixedId = await journey.findFixedId(world, begun);
      const contentId = await journey.end(world, url, begun);
      if (fixedId !== null && fixedId !== contentId)
        result.complaints.push(`${point}: ${fixedId} became ${contentId}`);
      await ledger.settled();
      const wrong = await ledger.checkContent(begun.accountId, contentId, begun.kind === 'deck' ? 2 : 0);
      result.complaints.push(...wrong.map(what => `${point}: ${what}`));
    } catch (error) {
      result.complaints.push(`${point}: not recovered: ${(error as Error).message}`);
    }
  }

  return {
    world,
    ledger,
    startNext,
    findPoints,
    strike,
    async close() {
      await loading.then(victim => victim.end());
      await closeUpstream();
      await admin.end();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function environmentOf(world: World, service: 'content' | 'gateway'): Record<string, string> {
  return {
    PORT: '0',
    ...testSecrets,
    DATABASE_URL: world.database.roleUrl(service),
    DATABASE_POOL_MAX: '6',
    SERVICE_SIGNING_KEYS: signingKeysFor(service),
    PUBLIC_URL: 'http://localhost:8080',
    DATA_DIR: world.dataDir,
    // Nothing is imported here: the journey writes the app's row.
    APP_STORE_URL: nowhere,
    GOOGLE_PLAY_URL: nowhere,
    SIGN_UP: 'open',
    SIGNUP_CREDITS: '100000',
    DAILY_GENERATIONS: '1000000',
    CONTENT_URL: world.upstreamUrl || nowhere,
    SCHEDULING_URL: nowhere,
    AUTOMATION_URL: nowhere,
    ANALYTICS_URL: nowhere,
    LIMIT_PER_IP: '1000000',
    LIMIT_PER_KEY: '1000000',
    LIMIT_CONTENT_PER_KEY: '1000000',
  };
}
