import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

/** Tools report the writer without starting the service. */
export { chooseWriter } from './decks/writer.rules.ts';

export const contentSettings = {
  ...pickSettings(
    'DATA_DIR',
    'PUBLIC_URL',
    'MEDIA_SIGNING_KEY',
    'EVENT_RETENTION_DAYS',
    'LLM_BUDGET_SECONDS',
  ),
  STORES: {
    schema: z.enum(['auto', 'real', 'simulated'], { error: 'must be auto, real or simulated' }),
    default: 'auto',
    about:
      'The app stores that are queried: `auto` queries the simulated ones, where they run, and then the real ones; `real` and `simulated` query only those.',
  },
  APP_STORE_URL: {
    schema: forms.httpUrl(),
    about: "The only address of Apple's lookup service; unset: chosen by STORES.",
  },
  GOOGLE_PLAY_URL: {
    schema: forms.httpUrl(),
    about: "The only address of Google Play's pages; unset: chosen by STORES.",
  },
  STORE_SIMULATORS_URL: {
    schema: forms.httpUrl(),
    about: 'Address of the simulators that stand in for the stores; `npm start` sets it.',
  },
  WRITER: {
    schema: z.enum(['auto', 'model', 'builtin'], { error: 'must be auto, model or builtin' }),
    default: 'auto',
    about:
      'Who writes the texts: `model` (LLM_BASE_URL and LLM_MODEL are then required), `builtin` (the composer, whatever LLM_* says) or `auto` (the model where LLM_* is set, else the composer).',
  },
  LLM_BASE_URL: {
    schema: forms.httpUrl(),
    about:
      'OpenAI-compatible endpoint that writes the texts, such as `https://host/v1`; `npm run doctor` finds a local one.',
  },
  LLM_API_KEY: {
    schema: z.string().min(1),
    about: 'Key for that endpoint; many local ones need none.',
    secret: true,
  },
  LLM_MODEL: {
    schema: z.string().min(1),
    about: 'Model at that endpoint; required with LLM_BASE_URL.',
  },
  LLM_IN_FLIGHT: {
    schema: forms.count(1, 32),
    default: '16',
    about:
      'Decks that a text model writes at the same time for one process. Accounts take turns: one account has at most three quarters of them, and a deck waits at most a quarter of LLM_BUDGET_SECONDS for its turn.',
  },
  LLM_ON_FAILURE: {
    schema: z.enum(['fail', 'builtin'], { error: 'must be fail or builtin' }),
    default: 'fail',
    about:
      'When the model is unavailable or keeps breaking the rules: `fail` (the content fails, uncharged) or `builtin` (the composer writes).',
  },
  S3_ENDPOINT: {
    schema: forms.httpUrl(),
    about: 'S3-compatible store for slide images, all five `S3_*` together; unset: files under DATA_DIR.',
  },
  S3_REGION: {
    schema: z.string().min(1),
    about: 'Region of that store; many self-hosted stores accept `us-east-1`.',
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
