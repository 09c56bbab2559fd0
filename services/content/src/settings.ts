import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

/** The service's settings: shared ones and its own. */
export const contentSettings = {
  ...pickSettings('DATA_DIR', 'PUBLIC_URL', 'MEDIA_SIGNING_KEY', 'EVENT_RETENTION_DAYS'),
  APP_STORE_URL: { schema: forms.httpUrl(), about: "Apple's lookup service; unset: the simulator." },
  GOOGLE_PLAY_URL: { schema: forms.httpUrl(), about: "Google Play's pages; unset: the simulator." },
  LLM_BASE_URL: {
    schema: forms.httpUrl(),
    about:
      'OpenAI-compatible endpoint that writes the texts, such as `https://host/v1`; unset: the built-in composer writes.',
  },
  LLM_API_KEY: {
    schema: z.string().min(1),
    about: 'Key for that endpoint; many local ones need none.',
    secret: true,
  },
  LLM_MODEL: {
    schema: z.string().min(1),
    about:
      'Model at that endpoint; required with LLM_BASE_URL. It has 7 s for a deck, 5 s for one that is drawn.',
  },
  LLM_FALLBACK: {
    schema: z.enum(['none', 'composer'], { error: 'must be none or composer' }),
    default: 'none',
    about:
      'The writer used when the model is unavailable or keeps breaking the rules: `none` (the content fails, uncharged) or `composer`.',
  },
  S3_ENDPOINT: {
    schema: forms.httpUrl(),
    about: 'S3-compatible store for slide images, all five `S3_*` together; unset: files under DATA_DIR.',
  },
  S3_REGION: {
    schema: z.string().min(1),
    about: 'Region of that store; many self-hosted ones take `us-east-1`.',
  },
  S3_BUCKET: { schema: z.string().min(1), about: 'Bucket in that store; it must exist.' },
  S3_ACCESS_KEY_ID: {
    schema: z.string().min(1),
    about: 'Access key of that store; it needs ListBucket, GetObject, PutObject and DeleteObject.',
  },
  S3_SECRET_ACCESS_KEY: { schema: z.string().min(1), about: 'Secret key of that store.', secret: true },
  SIGNUP_CREDITS: { schema: forms.count(0, 1_000_000), default: '25', about: 'Credits granted at sign-up.' },
  DAILY_GENERATIONS: {
    schema: forms.count(1, 1_000_000),
    default: '200',
    about: 'Maximum generations per account and UTC day.',
  },
} as const satisfies SettingTable;
