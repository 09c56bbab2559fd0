import { ConfigurationError, requireSettings } from '@hookline/shared/config';
import { createMediaLinks, type MediaLinks } from '@hookline/shared/media-links';
import type { ServiceRuntime } from '@hookline/shared/service';
import { createFileImageStore, type ImageStore } from './image-store.ts';
import type { StoreBaseUrls } from './stores/read-listing.ts';
import { composer } from './writer/composer.ts';
import type { Writer } from './writer/port.ts';

export const contentSettings = [
  'DATA_DIR',
  'PUBLIC_URL',
  'MEDIA_SIGNING_KEY',
  'APP_STORE_URL',
  'GOOGLE_PLAY_URL',
  'SIGNUP_CREDITS',
  'DAILY_GENERATIONS',
  'LLM_BASE_URL',
  'S3_ENDPOINT',
] as const;

export type ContentRuntime = ServiceRuntime<(typeof contentSettings)[number]>;

/** What the content service's code works with. */
export type ContentDeps = Pick<ContentRuntime, 'db' | 'log' | 'now'> & {
  writer: Writer;
  images: ImageStore;
  links: MediaLinks;
  stores: StoreBaseUrls;
  signupCredits: number;
  dailyGenerations: number;
};

/** @throws ConfigurationError for a setting that is missing or names what is not there yet. */
export function createDeps({ db, log, now, settings }: ContentRuntime): ContentDeps {
  if (settings.S3_ENDPOINT) {
    throw new ConfigurationError(
      'S3_ENDPOINT is set, but only DATA_DIR can hold slide images yet; unset it.',
    );
  }
  if (settings.LLM_BASE_URL) {
    throw new ConfigurationError('LLM_BASE_URL is set, but only the built-in composer writes yet; unset it.');
  }
  const needed = requireSettings(
    settings,
    ['PUBLIC_URL', 'MEDIA_SIGNING_KEY', 'APP_STORE_URL', 'GOOGLE_PLAY_URL'],
    'the content service cannot work without',
  );
  return {
    db,
    log,
    now,
    writer: composer,
    images: createFileImageStore(settings.DATA_DIR),
    links: createMediaLinks(needed.PUBLIC_URL, needed.MEDIA_SIGNING_KEY),
    stores: { appStoreUrl: needed.APP_STORE_URL, googlePlayUrl: needed.GOOGLE_PLAY_URL },
    signupCredits: settings.SIGNUP_CREDITS,
    dailyGenerations: settings.DAILY_GENERATIONS,
  };
}
