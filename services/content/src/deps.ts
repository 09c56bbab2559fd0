import {
  ConfigurationError,
  createFairQueue,
  createMediaLinks,
  createSecretBox,
  createTurns,
  type FairQueue,
  generationMsOf,
  type MediaLinks,
  requireSettings,
  type SecretBox,
  type Turns,
} from '@hookline/shared/kernel';
import type { ServiceRuntime } from '@hookline/shared/service';
import { closeRenderThread, renderSamples } from '@hookline/slides';
import type { ChatSettings, Writer } from '@hookline/writer';
import { composer, createLlmWriter, guardBrief, withFallback } from '@hookline/writer';
import { chooseWriter } from './decks/writer.rules.ts';
import { measureAnswer, measureWriter } from './metrics.ts';
import type { contentSettings } from './settings.ts';
import { createFileImageStore, type ImageStore, ImageStoreError } from './storage/image-store.ts';
import { createS3ImageStore } from './storage/image-store-s3.ts';
import { chooseStoreAddresses } from './stores/addresses.rules.ts';
import { type AppStores, createAppStores } from './stores/stores.ts';
import { openTextModels, type TextModels, type WriterOf, writerByWorkspace } from './text-models/open.ts';

export type ContentRuntime = ServiceRuntime<typeof contentSettings>;

export type ContentDeps = Pick<ContentRuntime, 'db' | 'log' | 'now'> & {
  writerOf: WriterOf;
  textModels: TextModels;
  secretBox: SecretBox;
  images: ImageStore;
  links: MediaLinks;
  stores: AppStores;
  publicUrl: string;
  samples: () => Promise<ReadonlyMap<string, Buffer>>;
  /** Edits of one content run one after the other within a process. */
  editTurns: Turns;
  /** Thumbnails are made one after the other within a process, accounts by turns. */
  thumbnailTurns: FairQueue;
  signupCredits: number;
  isUnlimited: boolean;
  dailyGenerations: number;
  /** Events link to images of replaced versions for this long. */
  eventRetentionDays: number;
  /** Leases and reservations follow the longest duration of a generation. */
  generationMs: number;
};

export async function createDeps({ db, log, now, settings, shutdown }: ContentRuntime): Promise<ContentDeps> {
  const needed = requireSettings(
    settings,
    ['PUBLIC_URL', 'MEDIA_SIGNING_KEY', 'ENCRYPTION_KEYS'],
    'the content service cannot work without',
  );
  const images = await openImageStore(settings, log);
  const stores = openStores(settings);
  const secretBox = createSecretBox(needed.ENCRYPTION_KEYS);
  const textModels = openTextModels({
    installation: readInstallation(settings),
    allowedTargets: settings.LLM_ALLOW_TARGETS,
    budgetMs: settings.LLM_BUDGET_SECONDS * 1_000,
    secretBox,
  });
  shutdown.add('stores', 'drawing thread', closeRenderThread);
  shutdown.add('stores', 'slide images', async () => images.close());
  shutdown.add('stores', 'app store connections', () => stores.close());
  return {
    db,
    log,
    now,
    writerOf: openWriters({ log, settings }, textModels),
    textModels,
    secretBox,
    images,
    links: createMediaLinks(needed.PUBLIC_URL, needed.MEDIA_SIGNING_KEY),
    stores,
    publicUrl: needed.PUBLIC_URL,
    samples: createSamples(),
    editTurns: createTurns(),
    thumbnailTurns: createThumbnailTurns(),
    signupCredits: settings.SIGNUP_CREDITS,
    isUnlimited: settings.CREDITS === 'unlimited',
    dailyGenerations: settings.DAILY_GENERATIONS,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    generationMs: generationMsOf(settings),
  };
}

/** One account alone makes about 230 thumbnails of 17 ms in this time. */
const thumbnailWaitMaxMs = 4_000;

/** One at a time, a long list does not take the processor from generations. */
export function createThumbnailTurns(): FairQueue {
  return createFairQueue({ slots: () => 1, waitMaxMs: thumbnailWaitMaxMs });
}

/** Samples that could not be drawn are drawn again by the next call. */
function createSamples(): ContentDeps['samples'] {
  let drawing: Promise<ReadonlyMap<string, Buffer>> | null = null;
  return () => {
    drawing ??= renderSamples().catch(error => {
      drawing = null;
      throw error;
    });
    return drawing;
  };
}

function openStores(settings: ContentRuntime['settings']): AppStores {
  const addresses = chooseStoreAddresses({
    mode: settings.STORES,
    appStoreUrl: settings.APP_STORE_URL,
    googlePlayUrl: settings.GOOGLE_PLAY_URL,
    simulatorsUrl: settings.STORE_SIMULATORS_URL,
  });
  if (addresses.apple.length === 0 || addresses.google.length === 0) {
    throw new ConfigurationError(
      'STORES=simulated needs STORE_SIMULATORS_URL, or both APP_STORE_URL and GOOGLE_PLAY_URL.',
    );
  }
  return createAppStores(addresses);
}

/** @throws ConfigurationError naming what a text model lacks */
function readInstallation(settings: ContentRuntime['settings']): ChatSettings | null {
  const chosen = chooseWriter(settings);
  if (chosen.kind === 'builtin') return null;
  if (chosen.kind === 'incomplete') {
    requireSettings(
      settings,
      chosen.missing,
      'texts come from a model when WRITER=model or one of LLM_* is set',
    );
    throw new ConfigurationError(`${chosen.missing.join(', ')} must be set.`);
  }
  const { kind: _, ...endpoint } = chosen;
  return { ...endpoint, maxTokens: settings.LLM_MAX_TOKENS, extraBody: settings.LLM_EXTRA_BODY };
}

/**
 * The composer writes alone, or stands in for a text model if so configured. Every text model has a breaker
 * and turns of its own.
 */
function openWriters(
  { log, settings }: Pick<ContentRuntime, 'log' | 'settings'>,
  textModels: TextModels,
): WriterOf {
  const builtin = measureWriter('composer', composer);
  const limits = { budgetMs: textModels.budgetMs, inFlightMax: settings.LLM_IN_FLIGHT };
  const open = (settingsOf: () => ChatSettings): Writer => {
    let writer: Writer | undefined;
    const measured = measureWriter('llm', {
      async write(request) {
        writer ??= createLlmWriter({ ...settingsOf(), ...limits }, log, measureAnswer);
        return await writer.write(request);
      },
    });
    return guardBrief(settings.LLM_ON_FAILURE === 'fail' ? measured : withFallback(measured, builtin, log));
  };
  const { installation } = textModels;
  const standard = installation ? open(() => installation) : guardBrief(builtin);
  return writerByWorkspace(textModels, standard, open);
}

const s3Settings = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

/** An S3 store that is down does not prevent the start. */
async function openImageStore(
  settings: ContentRuntime['settings'],
  log: ContentRuntime['log'],
): Promise<ImageStore> {
  if (s3Settings.every(name => settings[name] === undefined)) return createFileImageStore(settings.DATA_DIR);
  const s3 = requireSettings(settings, s3Settings, 'slide images go to an S3 store when one of S3_* is set');
  const store = await createS3ImageStore({
    endpoint: s3.S3_ENDPOINT,
    region: s3.S3_REGION,
    bucket: s3.S3_BUCKET,
    accessKeyId: s3.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
  });
  await store.check().catch(error => {
    if (!(error instanceof ImageStoreError)) throw error;
    log.warn({ err: error }, 'the S3 store cannot be reached yet');
  });
  return store;
}
