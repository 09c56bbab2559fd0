import { analyticsSettings } from '@hookline/analytics/settings';
import { contentSettings } from '@hookline/content/settings';
import { schedulingSettings } from '@hookline/scheduling/settings';
import { ConfigurationError, type SettingsOf } from '@hookline/shared/kernel';

const { TIKTOK_API_URL, TIKTOK_AUTH_URL, TIKTOK_CLIENT_KEY, TIKTOK_CLIENT_SECRET } = schedulingSettings;
const { STORES, APP_STORE_URL, GOOGLE_PLAY_URL } = contentSettings;
const { YOUTUBE_API_URL, YOUTUBE_API_KEY, INSTAGRAM_API_URL } = analyticsSettings;

export const platformSettings = {
  TIKTOK_API_URL,
  TIKTOK_AUTH_URL,
  TIKTOK_CLIENT_KEY,
  TIKTOK_CLIENT_SECRET,
  STORES,
  APP_STORE_URL,
  GOOGLE_PLAY_URL,
  YOUTUBE_API_URL,
  YOUTUBE_API_KEY,
  INSTAGRAM_API_URL,
};

type PlatformSettings = SettingsOf<typeof platformSettings>;

export type Platforms = {
  env: Record<string, string>;
  /** Posts go to the simulator, so the first journey may run: nothing leaves the machine. */
  isTiktokSimulated: boolean;
  /** The simulated App Store answers, so its listings can be imported. */
  isAppStoreSimulated: boolean;
};

/**
 * False when every platform is real: then the simulators, which answer everybody on this machine, are not
 * started.
 */
export function usesSimulators(settings: PlatformSettings): boolean {
  const { TIKTOK_API_URL, YOUTUBE_API_URL, INSTAGRAM_API_URL, APP_STORE_URL, GOOGLE_PLAY_URL } = settings;
  const given = [TIKTOK_API_URL, YOUTUBE_API_URL, INSTAGRAM_API_URL];
  if (settings.STORES !== 'real') given.push(APP_STORE_URL, GOOGLE_PLAY_URL);
  return given.includes(undefined);
}

/**
 * The base URL of each platform: the configured one, else the simulators'.
 * @param simulatorsUrl null where they are not used
 * @throws ConfigurationError for an
 * incomplete configuration
 */
export function choosePlatforms(
  settings: PlatformSettings,
  simulatorsUrl: string | null,
  simulated: { clientKey: string; clientSecret: string },
): Platforms {
  const isTiktokSimulated = requireAllOrNone('TikTok', settings, [
    'TIKTOK_API_URL',
    'TIKTOK_AUTH_URL',
    'TIKTOK_CLIENT_KEY',
    'TIKTOK_CLIENT_SECRET',
  ]);
  // The real address would always refuse the simulated key, and a real key must not reach the simulator.
  requireAllOrNone('YouTube', settings, ['YOUTUBE_API_URL', 'YOUTUBE_API_KEY']);
  return {
    isTiktokSimulated,
    isAppStoreSimulated: settings.APP_STORE_URL === undefined && settings.STORES !== 'real',
    env: {
      TIKTOK_API_URL: settings.TIKTOK_API_URL ?? `${simulatorsUrl}/tiktok`,
      TIKTOK_AUTH_URL: settings.TIKTOK_AUTH_URL ?? `${simulatorsUrl}/tiktok`,
      TIKTOK_CLIENT_KEY: settings.TIKTOK_CLIENT_KEY ?? simulated.clientKey,
      TIKTOK_CLIENT_SECRET: settings.TIKTOK_CLIENT_SECRET ?? simulated.clientSecret,
      STORES: settings.STORES,
      ...(simulatorsUrl === null ? {} : { STORE_SIMULATORS_URL: simulatorsUrl }),
      ...(settings.APP_STORE_URL === undefined ? {} : { APP_STORE_URL: settings.APP_STORE_URL }),
      ...(settings.GOOGLE_PLAY_URL === undefined ? {} : { GOOGLE_PLAY_URL: settings.GOOGLE_PLAY_URL }),
      YOUTUBE_API_URL: settings.YOUTUBE_API_URL ?? `${simulatorsUrl}/youtube`,
      YOUTUBE_API_KEY: settings.YOUTUBE_API_KEY ?? 'simulator-api-key',
      INSTAGRAM_API_URL: settings.INSTAGRAM_API_URL ?? `${simulatorsUrl}/instagram`,
    },
  };
}

function requireAllOrNone(
  platform: string,
  settings: PlatformSettings,
  names: readonly (keyof PlatformSettings)[],
): boolean {
  const missing = names.filter(name => settings[name] === undefined);
  if (missing.length === names.length) return true;
  if (missing.length === 0) return false;
  throw new ConfigurationError(
    `${platform} is configured by half: set ${missing.join(', ')} too, or unset the others to use the simulator.`,
  );
}
