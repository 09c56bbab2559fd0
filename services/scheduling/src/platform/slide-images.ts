/** Content has the slide images: their bytes are for the platform, the facts for the checks. */

import { ApiError } from '@hookline/shared/contracts';
import { imageBytesPath } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import { contentTypeOf, type ImageFacts } from './image-facts.rules.ts';

export type SlideReader = {
  /** @returns null if the file is gone. @throws ApiError `service_unavailable` */
  bytes(imageId: string): Promise<Buffer | null>;
  /** Facts are cached for 5 minutes: an image never changes under its id. */
  facts(imageId: string): Promise<ImageFacts | null>;
};

const cachedForMs = 5 * 60_000;
const cachedMax = 2_000;
// A slide that is slightly too large for a platform must differ from a failing service.
const readBytesMax = 24_000_000;

export function createSlideReader(peers: ServiceClient): SlideReader {
  const cache = new Map<string, { facts: ImageFacts; atMs: number }>();

  async function bytes(imageId: string): Promise<Buffer | null> {
    try {
      const path = imageBytesPath.replace('{id}', encodeURIComponent(imageId));
      return await peers.fetchBytes(path, { bytesMax: readBytesMax });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'slide_missing' || error.code === 'not_found'))
        return null;
      throw error;
    }
  }

  return {
    bytes,
    async facts(imageId) {
      const cached = cache.get(imageId);
      if (cached && performance.now() - cached.atMs < cachedForMs) return cached.facts;
      cache.delete(imageId);
      const read = await bytes(imageId);
      if (!read) return null;
      const facts = await readFacts(read);
      cache.set(imageId, { facts, atMs: performance.now() });
      if (cache.size > cachedMax) cache.delete(cache.keys().next().value as string);
      return facts;
    },
  };
}

async function readFacts(bytes: Buffer): Promise<ImageFacts> {
  // The library is loaded with the first image.
  const { imageSize } = await import('image-size');
  const contentType = contentTypeOf(bytes);
  try {
    const { width, height } = contentType ? imageSize(bytes) : { width: null, height: null };
    return { bytes: bytes.length, contentType, width, height };
  } catch {
    return { bytes: bytes.length, contentType, width: null, height: null };
  }
}
