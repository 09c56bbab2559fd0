import { listSlides } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { type DeckBrand, type RenderedSlide, renderOnThread } from '@hookline/slides';
import type { AppRow, Shown } from '../apps/record.ts';
import { shownOf } from '../apps/unreviewed.rules.ts';
import type { ContentDeps } from '../deps.ts';
import type { ImageRow } from '../images/record.ts';
import { recordBeforeStoring, unreferencedMs } from '../images/record-files.ts';
import { type ChosenPictures, readChosen } from '../pictures/choose.ts';
import type { PictureRow } from '../pictures/record.ts';

/** Storing ends within the generation, after writing (5 s at most) and drawing. */
const storingMs = 2_500;

const storedAtOnce = 4;

export type DeckLook = {
  archetype: string | null;
  language: string | null;
  brandHue: number | null;
  chosen: ChosenPictures;
  app: AppRow;
};

export type DrawnDeck = {
  images: ImageRow[];
  shown: Shown;
  /** `pictures` includes the logo. */
  pictures: readonly PictureRow[];
};

export const notDrawn: DrawnDeck = {
  images: [],
  shown: { brand: {}, pictureIds: [], changedBy: [] },
  pictures: [],
};

/**
 * Draws every slide, reading the pictures when its turn comes, and stores the files. The caller writes the
 * rows that name them afterwards.
 * @param keptMs how long files that no deck names are kept
 */
export async function renderImages(
  deps: Pick<ContentDeps, 'db' | 'now' | 'images'>,
  { contentId, accountId }: { contentId: string; accountId: string },
  result: SlideshowResult,
  brief: Brief,
  look: DeckLook,
  keptMs = unreferencedMs,
): Promise<DrawnDeck> {
  const slides = listSlides(result, brief.ctaMode);
  // The cover of a screenshot-card has no picture.
  const places = brief.templateId === 'screenshot-card' ? slides.length - 1 : slides.length;
  let read: ChosenPictures = { pictures: [], logo: null };
  const hasFiles = look.chosen.pictures.length > 0 || look.chosen.logo !== null;
  const readFiles = async () => {
    const { files, ...rows } = await readChosen(deps, look.chosen, places);
    read = rows;
    return files;
  };
  const rendered = await renderOnThread({
    slides,
    owner: accountId,
    seed: contentId,
    language: look.language ?? undefined,
    archetype: look.archetype ?? undefined,
    brandHue: look.brandHue,
    template: brief.templateId,
    brand: toDeckBrand(look.app, look.chosen),
    readFiles: hasFiles ? readFiles : undefined,
  });
  const files = rendered.map(slide => ({ slide, digest: sha256(slide.bytes) }));
  const checkAt = new Date(deps.now().getTime() + keptMs);
  await recordBeforeStoring(deps.db, { digests: files.map(file => file.digest), checkAt });
  const signal = AbortSignal.timeout(storingMs);
  for (let i = 0; i < files.length; i += storedAtOnce) {
    const batch = files.slice(i, i + storedAtOnce);
    await Promise.all(
      batch.map(({ slide, digest }) => deps.images.put(digest.toString('hex'), slide.bytes, signal)),
    );
  }
  const pictures = read.logo ? [...read.pictures, read.logo] : read.pictures;
  const isSigned = rendered.some(slide => slide.isSigned);
  return {
    images: files.map(({ slide, digest }) => toImageRow(slide, digest)),
    shown: shownOf(look.app, brief, pictures, { isSigned, hasLogo: read.logo !== null }),
    pictures,
  };
}

function toDeckBrand({ brand }: AppRow, { logo }: ChosenPictures): DeckBrand | undefined {
  if (!brand) return undefined;
  const { colors, fonts, handle } = brand;
  return {
    colors: colors ?? undefined,
    fonts: fonts ?? undefined,
    handle: handle ?? undefined,
    hasLogo: logo !== null,
  };
}

function toImageRow({ index, width, height, bytes, contentType }: RenderedSlide, digest: Buffer): ImageRow {
  return { id: newId('image'), index, width, height, bytes: bytes.length, contentType, digest };
}
