import { textModelProviders } from '@hookline/shared/contracts/text-model';
import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

/** Fields that the writer fills. */
const ownFields = ['model', 'messages', 'response_format', 'stream', 'n'];

function extraBody() {
  const error = `must be a JSON object, such as {"reasoning_effort": "low"}, without ${ownFields.join(', ')}`;
  return z.string().transform((value, context): Record<string, unknown> => {
    try {
      const fields: unknown = JSON.parse(value);
      if (z.record(z.string(), z.unknown()).safeParse(fields).success) {
        const given = fields as Record<string, unknown>;
        if (!ownFields.some(name => name in given)) return given;
      }
    } catch {}
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
}

/** Tools report the writer without starting the service. */
export { chooseWriter } from './decks/writer.rules.ts';

export const contentSettings = {
  ...pickSettings(
    'DATA_DIR',
    'PUBLIC_URL',
    'ENCRYPTION_KEYS',
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
      'Who writes the texts: `model` (LLM_PROVIDER, or LLM_BASE_URL and LLM_MODEL, are then required), `builtin` (the composer, whatever LLM_* says) or `auto` (the model where LLM_* is set, else the composer). A workspace may connect a model of its own.',
  },
  LLM_PROVIDER: {
    schema: z.enum(textModelProviders, { error: `must be one of ${textModelProviders.join(', ')}` }),
    about: `Who serves the text model: ${textModelProviders.map(name => `\`${name}\``).join(', ')}. Fills LLM_BASE_URL and LLM_MODEL, except \`custom\`, which is what LLM_BASE_URL alone means.`,
  },
  LLM_BASE_URL: {
    schema: forms.httpUrl(),
    about:
      'OpenAI-compatible endpoint that writes the texts, such as `https://host/v1`; `npm run doctor` finds a local one.',
  },
  LLM_API_KEY: {
    schema: z.string().min(1),
    about: 'Key for that endpoint; local ones need none.',
    secret: true,
  },
  LLM_MODEL: {
    schema: z.string().min(1),
    about: 'Model at that endpoint; required where LLM_PROVIDER does not fill it.',
  },
  LLM_MAX_TOKENS: {
    schema: forms.count(256, 1_000_000),
    about: 'Tokens that one answer may have; unset: as many as the endpoint allows, with `anthropic` 4096.',
  },
  LLM_EXTRA_BODY: {
    schema: extraBody(),
    about: 'JSON object merged into each request, such as `{"reasoning_effort": "low"}`.',
  },
  LLM_ALLOW_TARGETS: {
    schema: forms.hostPorts(),
    default: '',
    about:
      'Comma-separated host:port list of addresses that are not public, such as `127.0.0.1:11434`, at which workspaces may connect a text model, with http too.',
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
  CREDITS: {
    schema: z.enum(['metered', 'unlimited'], { error: 'must be metered or unlimited' }),
    default: 'metered',
    about: '`unlimited`: nothing is refused for the lack of credits; the ledger still records each deck.',
  },
  DAILY_GENERATIONS: {
    schema: forms.count(1, 1_000_000),
    default: '200',
    about: 'Maximum generations per account and UTC day.',
  },
} as const satisfies SettingTable;
