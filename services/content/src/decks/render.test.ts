import { closeRenderThread, SlideTextError } from '@hookline/slides';
import { afterAll, expect, it } from 'vitest';
import type { PictureRow } from '../pictures/record.ts';
import { createFileImageStore, type ImageStore } from '../storage/image-store.ts';
import { renderImages } from './render.ts';

afterAll(closeRenderThread);

it('reads no picture of a deck that cannot be drawn', async () => {
  let reads = 0;
  const store = createFileImageStore('images-that-are-not-there');
  const images: ImageStore = {
    ...store,
    read(digest, signal) {
      reads += 1;
      return store.read(digest, signal);
    },
  };
  const deps = { db: null as never, now: () => new Date(), images };
  const pictures = [{ digest: Buffer.alloc(32) } as PictureRow];
  const result = {
    hook: 'ሰላም ለዓለም',
    hookOptions: [],
    bodySlides: [{ text: 'One line.' }],
    ctaSoft: 'Soft.',
    ctaHard: 'Hard.',
    caption: '',
    hashtags: [],
  };
  const drawn = renderImages(deps, {
    app: { id: 'app_1', name: 'Pebblo', accountId: 'maya', brand: null, listing: {} } as never,
    brief: { templateId: 'photo-card' },
    result,
    language: null,
    chosen: { pictures, named: [], logo: null },
  });
  await expect(drawn).rejects.toBeInstanceOf(SlideTextError);
  expect(reads).toBe(0);
});
