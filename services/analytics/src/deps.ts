import { createSecretBox, requireSettings, type SecretBox } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { ServiceRuntime } from '@hookline/shared/service';
import { createInstagramClient, type InstagramClient } from './platforms/instagram.ts';
import { createYoutubeClient, type YoutubeClient } from './platforms/youtube.ts';
import type { analyticsSettings } from './settings.ts';
import type { Timings } from './timings.ts';

export type AnalyticsRuntime = ServiceRuntime<typeof analyticsSettings>;

export type AnalyticsDeps = Pick<AnalyticsRuntime, 'db' | 'log' | 'now'> & {
  timings: Timings;
  youtube: YoutubeClient;
  /** Identifies the API key in `api_limits` without revealing it. */
  youtubeCredential: string;
  youtubeDailyUnits: number;
  /** False with `YOUTUBE_API_KEY=none`. */
  isYoutubeRead: boolean;
  instagram: InstagramClient;
  secretBox: SecretBox;
};

export type WriteContext = { tx: Transaction; accountId: string; now: Date };

/** @throws ConfigurationError naming the settings that are missing. */
export function createDeps(runtime: AnalyticsRuntime, timings: Timings): AnalyticsDeps {
  const settings = requireSettings(
    runtime.settings,
    ['ENCRYPTION_KEYS', 'YOUTUBE_API_URL', 'YOUTUBE_API_KEY', 'INSTAGRAM_API_URL'],
    'the analytics service needs keys for tokens at rest, and the address and key of the platforms it reads',
  );
  const { callTimeoutMs: timeoutMs } = timings;
  const youtube = createYoutubeClient({
    apiUrl: settings.YOUTUBE_API_URL,
    apiKey: settings.YOUTUBE_API_KEY,
    timeoutMs,
  });
  const instagram = createInstagramClient({
    apiUrl: settings.INSTAGRAM_API_URL,
    version: settings.INSTAGRAM_API_VERSION,
    timeoutMs,
  });
  runtime.shutdown.add('stores', 'youtube connections', () => youtube.close());
  runtime.shutdown.add('stores', 'instagram connections', () => instagram.close());
  const digest = sha256(settings.YOUTUBE_API_KEY).toString('hex');
  return {
    db: runtime.db,
    log: runtime.log,
    now: runtime.now,
    timings,
    youtube,
    youtubeCredential: `youtube:${digest.slice(0, 16)}`,
    youtubeDailyUnits: settings.YOUTUBE_DAILY_UNITS,
    isYoutubeRead: settings.YOUTUBE_API_KEY !== 'none',
    instagram,
    secretBox: createSecretBox(settings.ENCRYPTION_KEYS),
  };
}
