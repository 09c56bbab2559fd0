import { setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFaults, type Faults } from './faults/faults.ts';
import { createLlm, type LlmState } from './llm/state.ts';
import { createMails, type MailState } from './mail/state.ts';
import { createMetrics, type MetricsState } from './metrics/state.ts';
import { createVideos, type VideosState } from './metrics/videos.ts';
import { type Settings, type SimulatorsOptions, settingsFrom } from './options.ts';
import { type Journal, openJournal } from './state/journal.ts';
import { createRequestLog, type RequestLog } from './state/request-log.ts';
import { createStores, type StoresState } from './stores/state.ts';
import { createTiktok, pruneTiktok, seedTiktok, type TiktokState } from './tiktok/state.ts';

/** The state of all simulated platforms, passed by argument to every route. */
export type World = {
  settings: Settings;
  now: () => number;
  random: () => number;
  journal: Journal;
  faults: Faults;
  tiktok: TiktokState;
  stores: StoresState;
  videos: VideosState;
  llm: LlmState;
  metrics: MetricsState;
  mails: MailState;
  imagesDir: string;
  requests: RequestLog;
  /** Aborted at close, so that held answers and pulls end. */
  stopped: AbortController;
};

/**
 * Opens the state under `dataDir` and adds the seeded creators, listings and videos where they are missing.
 */
export function openWorld(options: SimulatorsOptions): World {
  const settings = settingsFrom(options);
  const journal = openJournal(settings.dataDir);
  const random = options.random ?? Math.random;
  const now = options.now ?? Date.now;
  const world: World = {
    settings,
    now,
    random,
    journal,
    faults: createFaults(journal, random),
    tiktok: createTiktok(journal),
    stores: createStores(journal),
    videos: createVideos(journal, now()),
    llm: createLlm(),
    metrics: createMetrics(journal),
    mails: createMails(journal),
    imagesDir: join(settings.dataDir, 'images'),
    requests: createRequestLog(),
    stopped: new AbortController(),
  };
  pruneTiktok(world.tiktok, world.now());
  seedTiktok(world.tiktok, settings);
  setMaxListeners(0, world.stopped.signal);
  return world;
}

/** Deletes tokens, posts, faults and everything added by callers, then seeds again. */
export function resetWorld(world: World): void {
  world.journal.clear();
  world.requests.clear();
  world.llm.requests.length = 0;
  rmSync(world.imagesDir, { recursive: true, force: true });
  seedTiktok(world.tiktok, world.settings);
}

/** Waits without keeping the process alive; ends early, without an error, when the simulators are closed. */
export async function pause(world: World, delayMs: number): Promise<void> {
  if (delayMs <= 0) return;
  await wait(delayMs, undefined, { ref: false, signal: world.stopped.signal }).catch(() => undefined);
}
