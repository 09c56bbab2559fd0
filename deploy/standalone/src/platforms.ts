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

const real = {
  TIKTOK_API_URL: 'https://open.tiktokapis.com',
  TIKTOK_AUTH_URL: 'https://www.tiktok.com',
  YOUTUBE_API_URL: 'https://www.googleapis.com',
  YOUTUBE_API_KEY: 'none',
  INSTAGRAM_API_URL: 'https://graph.instagram.com',
};

/** The simulators answer everybody on this machine, so they are not started where nothing uses them. */
export function usesSimulators({ TIKTOK_CLIENT_KEY, STORES }: PlatformSettings): boolean {
  return TIKTOK_CLIENT_KEY === undefined || STORES === 'simulated';
}

/**
 * With a client key of TikTok every platform is the real one, without it the simulators'. A setting that is
 * given takes precedence.
 * @param simulatorsUrl null where they are not used
 */
export function choosePlatforms(
  settings: PlatformSettings,
  simulatorsUrl: string | null,
  simulated: { clientKey: string; clientSecret: string },
): Platforms {
  const isTiktokSimulated = settings.TIKTOK_CLIENT_KEY === undefined;
  const simulators = {
    TIKTOK_API_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_AUTH_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_CLIENT_KEY: simulated.clientKey,
    TIKTOK_CLIENT_SECRET: simulated.clientSecret,
    YOUTUBE_API_URL: settings.YOUTUBE_API_KEY ? real.YOUTUBE_API_URL : `${simulatorsUrl}/youtube`,
    YOUTUBE_API_KEY: 'simulator-api-key',
    INSTAGRAM_API_URL: `${simulatorsUrl}/instagram`,
  };
  const given = Object.keys(platformSettings).flatMap(name => {
    const value = settings[name as keyof PlatformSettings];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    isTiktokSimulated,
    isAppStoreSimulated: settings.APP_STORE_URL === undefined && settings.STORES !== 'real',
    env: {
      ...(isTiktokSimulated ? simulators : real),
      ...(simulatorsUrl === null ? {} : { STORE_SIMULATORS_URL: simulatorsUrl }),
      ...Object.fromEntries(given),
    },
  };
}

/**
 * A real address would always refuse the simulated key, and a real key must not reach the simulator.
 * @throws ConfigurationError
 */
export function requireWholePlatforms(settings: PlatformSettings): void {
  const needs = [
    ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
    ['TIKTOK_CLIENT_SECRET', 'TIKTOK_CLIENT_KEY'],
    ['TIKTOK_API_URL', 'TIKTOK_CLIENT_KEY'],
    ['TIKTOK_AUTH_URL', 'TIKTOK_CLIENT_KEY'],
    ['YOUTUBE_API_URL', 'YOUTUBE_API_KEY'],
  ] as const;
  for (const [name, other] of needs) {
    if (settings[name] !== undefined && settings[other] === undefined)
      throw new ConfigurationError(
        `${name} is set without ${other}: set both, or neither for the simulator.`,
      );
  }
}
