import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

export const analyticsSettings = {
  ...pickSettings('ENCRYPTION_KEYS'),
  YOUTUBE_API_URL: {
    schema: forms.httpUrl(),
    about: 'YouTube Data API. Required; with `npm start`, unset: as TikTok.',
  },
  YOUTUBE_API_KEY: {
    schema: z.string().min(1),
    about:
      'Key for public YouTube numbers. Required; with `npm start`, unset: `none`, or the simulated one without TIKTOK_CLIENT_KEY. `none`: no YouTube numbers are collected.',
    secret: true,
  },
  YOUTUBE_DAILY_UNITS: {
    schema: forms.count(1, 100_000_000),
    default: '10000',
    about:
      'Units that the key may spend per day on each of the two calls that read numbers; at most what Google grants it.',
  },
  INSTAGRAM_API_URL: {
    schema: forms.httpUrl(),
    about: 'Instagram Graph API. Required; with `npm start`, unset: as TikTok.',
  },
  INSTAGRAM_API_VERSION: {
    schema: z.string().regex(/^v\d{1,3}\.\d$/, 'must be a version such as v25.0'),
    default: 'v25.0',
    about: 'Version of the Graph API that is called.',
  },
} as const satisfies SettingTable;
