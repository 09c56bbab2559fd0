import type { ServiceClient } from '@hookline/shared/http';
import type { Logger } from '@hookline/shared/kernel';
import { createSecretBox, requireSettings, type SecretBox } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import type { ServiceRuntime } from '@hookline/shared/service';
import { createSlideReader, type SlideReader } from './actions/read-slides.ts';
import type { Timings } from './options.ts';
import { createTiktokClient, type TiktokClient } from './platform/tiktok.ts';
import type { schedulingSettings } from './settings.ts';

const requiredNames = [
  'PUBLIC_URL',
  'ENCRYPTION_KEYS',
  'TIKTOK_API_URL',
  'TIKTOK_AUTH_URL',
  'TIKTOK_CLIENT_KEY',
  'TIKTOK_CLIENT_SECRET',
] as const;

export type SchedulingRuntime = ServiceRuntime<typeof schedulingSettings>;

/** What the service's actions work with. */
export type Parts = {
  db: Database;
  peers: ServiceClient;
  log: Logger;
  now: () => Date;
  timings: Timings;
  tiktok: TiktokClient;
  clientSecret: string;
  clientKey: string;
  box: SecretBox;
  slides: SlideReader;
  /** Without a trailing slash; callbacks and media links are built on it. */
  publicUrl: string;
  /** Where a public photo post can be looked at. */
  postUrl(username: string, postId: string): string;
};

/** @throws ConfigurationError naming the settings that are missing. */
export function createParts(runtime: SchedulingRuntime, timings: Timings): Parts {
  const settings = requireSettings(
    runtime.settings,
    requiredNames,
    'the scheduling service needs the address it is reached at, its keys and a TikTok app',
  );
  const tiktok = createTiktokClient({
    apiUrl: settings.TIKTOK_API_URL,
    authUrl: settings.TIKTOK_AUTH_URL,
    clientKey: settings.TIKTOK_CLIENT_KEY,
    clientSecret: settings.TIKTOK_CLIENT_SECRET,
    timeoutMs: timings.callTimeoutMs,
  });
  runtime.shutdown.add('stores', 'tiktok connections', () => tiktok.close());
  return {
    db: runtime.db,
    peers: runtime.peers,
    log: runtime.log,
    now: runtime.now,
    timings,
    tiktok,
    clientSecret: settings.TIKTOK_CLIENT_SECRET,
    clientKey: settings.TIKTOK_CLIENT_KEY,
    box: createSecretBox(settings.ENCRYPTION_KEYS),
    slides: createSlideReader(runtime.peers),
    publicUrl: settings.PUBLIC_URL,
    postUrl: (username, postId) =>
      `${settings.TIKTOK_AUTH_URL}/@${encodeURIComponent(username)}/photo/${postId}`,
  };
}
