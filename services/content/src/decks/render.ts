import { listSlides } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { type DeckBrand, renderOnThread } from '@hookline/slides';
import { shortenName, storeName } from '@hookline/writer';
import type { AppRow, Shown } from '../apps/record.ts';
import { shownOf } from '../apps/unreviewed.rules.ts';
import type { ContentDeps } from '../deps.ts';
import type { ImageRow } from '../images/record.ts';
import { recordBeforeStoring, unreferencedMs } from '../images/record-files.ts';
import { type ChosenPictures, readChosen, slideRows } from '../pictures/choose.ts';
import type { PictureRow } from '../pictures/record.ts';

/** Storing ends within the generation, after writing (5 s at most) and drawing. */
const storingMs = 2_500;

const storedAtOnce = 4;

/** `keptMs` is how long files that no deck names are kept. */
export type DrawingOrder = {
  app: AppRow;
  brief: Brief;
  result: SlideshowResult;
  language: string | null;
  chosen: ChosenPictures;
  keptMs?: number | undefined;
};

export type DrawnDeck = {
  images: ImageRow[];
  shown: Shown;
  /** `pictures` includes the logo, if a slide shows it. */
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
 */
export async function renderImages(
  deps: Pick<ContentDeps, 'db' | 'now' | 'images'>,
  order: DrawingOrder,
): Promise<DrawnDeck> {
  const { app, brief, result, chosen, keptMs = unreferencedMs } = order;
  const slides = listSlides(result, brief.ctaMode);
  if (brief.templateId === 'picture') return await placeSlides(deps, order, slideRows(chosen, slides));
  // The cover of a screenshot-card has no picture.
  const places = brief.templateId === 'screenshot-card' ? slides.length - 1 : slides.length;
  let read: Omit<ChosenPictures, 'named'> = { pictures: [], logo: null };
  const hasFiles = chosen.pictures.length > 0 || chosen.named.length > 0 || chosen.logo !== null;
  const readFiles = async () => {
    const { files, ...rows } = await readChosen(deps, chosen, slides, places);
    read = rows;
    return files;
  };
  const rendered = await renderOnThread({
    slides,
    owner: app.accountId,
    // The account that will post is not known yet; decks of one app look alike.
    seed: app.id,
    language: order.language ?? undefined,
    brandHue: app.listing.iconHue ?? null,
    app: { name: shortenName(app.name).short, store: storeName(app.listing.store) ?? undefined },
    template: brief.templateId,
    brand: toDeckBrand(app, chosen),
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
  const onSlides = new Set(rendered.map(({ picture }) => picture));
  const shown = read.pictures.filter((_, place) => onSlides.has(place));
  const isSigned = rendered.some(slide => slide.isSigned);
  const pictures = isSigned && read.logo ? [...shown, read.logo] : shown;
  return {
    images: files.map(({ slide, digest }) => toImageRow({ ...slide, bytes: slide.bytes.length, digest })),
    shown: shownOf(app, brief, pictures, { isSigned, hasLogo: read.logo !== null }),
    pictures,
  };
}

/** The files of finished slides are stored already. */
async function placeSlides(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  { app, brief, keptMs = unreferencedMs }: DrawingOrder,
  pictures: readonly PictureRow[],
): Promise<DrawnDeck> {
  const digests = [...new Map(pictures.map(({ digest }) => [digest.toString('hex'), digest])).values()];
  await recordBeforeStoring(db, { digests, checkAt: new Date(now().getTime() + keptMs) });
  return {
    images: pictures.map((row, i) => toImageRow({ ...row, index: i + 1 })),
    shown: shownOf(app, brief, pictures, { isSigned: false, hasLogo: false }),
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

function toImageRow({ index, width, height, bytes, contentType, digest }: Omit<ImageRow, 'id'>): ImageRow {
  return { id: newId('image'), index, width, height, bytes, contentType, digest };
}
