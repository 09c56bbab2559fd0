import {
  createMediaLinks,
  createSecretBox,
  type MediaLinks,
  requireSettings,
  type SecretBox,
} from '@hookline/shared/kernel';
import type { ServiceRuntime } from '@hookline/shared/service';
import { createDatabaseWatch, type DatabaseWatch } from './pauses/watch.ts';
import { openWitnessFile } from './pauses/witness-file.ts';
import type { Carriers } from './platform/carrier.rules.ts';
import { createSlideReader, type SlideReader } from './platform/slide-images.ts';
import { createTiktok } from './platform/tiktok.ts';
import { createSendBatches, type SendBatches } from './sending/batches.ts';
import type { schedulingSettings } from './settings.ts';
import type { Timings } from './timings.ts';

const requiredNames = [
  'PUBLIC_URL',
  'ENCRYPTION_KEYS',
  'MEDIA_SIGNING_KEY',
  'TIKTOK_API_URL',
  'TIKTOK_AUTH_URL',
  'TIKTOK_CLIENT_KEY',
  'TIKTOK_CLIENT_SECRET',
] as const;

export type SchedulingRuntime = ServiceRuntime<typeof schedulingSettings>;

export type SchedulingDeps = Pick<SchedulingRuntime, 'db' | 'log' | 'now' | 'peers' | 'clockIsSteady'> & {
  timings: Timings;
  carriers: Carriers;
  /** The platform signs its webhooks with it. */
  clientSecret: string;
  secretBox: SecretBox;
  links: MediaLinks;
  slides: SlideReader;
  watch: DatabaseWatch;
  batches: SendBatches;
  /** The address has no trailing slash. Callbacks and media links are built on it. */
  publicUrl: string;
};

/**
 * @throws ConfigurationError naming the missing settings.
 */
export function createDeps(runtime: SchedulingRuntime, timings: Timings): SchedulingDeps {
  const settings = requireSettings(
    runtime.settings,
    requiredNames,
    'the scheduling service needs the address it is reached at, its keys and a TikTok app',
  );
  const { db, peers, log, now, clockIsSteady } = runtime;
  const { WITNESS_FILE } = runtime.settings;
  const tiktok = createTiktok({
    apiUrl: settings.TIKTOK_API_URL,
    authUrl: settings.TIKTOK_AUTH_URL,
    clientKey: settings.TIKTOK_CLIENT_KEY,
    clientSecret: settings.TIKTOK_CLIENT_SECRET,
    scopes: settings.TIKTOK_SCOPES,
    timeoutMs: timings.callTimeoutMs,
  });
  runtime.shutdown.add('stores', `${tiktok.name} connections`, () => tiktok.close());
  const watch = createDatabaseWatch(
    { db, log, now, busWithinMs: timings.busWithinMs },
    WITNESS_FILE ? openWitnessFile(WITNESS_FILE, log) : null,
  );
  const publicUrl = settings.PUBLIC_URL;
  return {
    db,
    peers,
    log,
    now,
    clockIsSteady,
    timings,
    carriers: { tiktok },
    watch,
    publicUrl,
    clientSecret: settings.TIKTOK_CLIENT_SECRET,
    secretBox: createSecretBox(settings.ENCRYPTION_KEYS),
    links: createMediaLinks(publicUrl, settings.MEDIA_SIGNING_KEY),
    slides: createSlideReader(peers),
    batches: createSendBatches({ db, peers, now, timings, watch, publicUrl }),
  };
}
