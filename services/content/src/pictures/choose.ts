import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/brief';
import { type DeckFiles, templates } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { findIcon, findPictures, listOldestPictures } from './queries.ts';
import { type PicturedApp, type PictureRow, picturesMax } from './record.ts';

/** A deck shows at most this many pictures. */
const chosenMax = 10;

/** Reading the files of a deck, its logo included, takes at most this long. */
const readingFilesMs = 2_000;

type Deps = Pick<ContentDeps, 'db' | 'images'>;

/** `pictures` is empty for a template that shows none. Without a logo of the brand, `logo` is the app's icon. */
export type ChosenPictures = { pictures: readonly PictureRow[]; logo: PictureRow | null };

/**
 * Chooses the pictures of a new deck: those of `brief.pictureIds`, else the app's own.
 * @throws ApiError `invalid_request` for a picture of another app, and when there is none
 */
export async function choosePictures(deps: Deps, app: PicturedApp, brief: Brief): Promise<ChosenPictures> {
  const found = await findChosen(deps, app, brief);
  const foundIds = new Set(found.pictures.map(({ id }) => id));
  const missing = found.ids.findIndex(id => !foundIds.has(id));
  if (missing >= 0)
    throw invalidRequest(`brief.pictureIds[${missing}] must be the id of a picture of the app`);
  if (found.isNeeded && found.pictures.length === 0) {
    throw invalidRequest(
      `brief.templateId ${brief.templateId} needs a picture of the app; add one with POST /apps/${app.id}/pictures`,
    );
  }
  return found;
}

/** Chooses the pictures of an edited deck. One that was deleted since is left out. */
export async function chooseKeptPictures(
  deps: Deps,
  app: PicturedApp,
  brief: Brief,
): Promise<ChosenPictures> {
  const found = await findChosen(deps, app, brief);
  if (found.isNeeded && found.pictures.length === 0) throw picturesGone(found.ids);
  return found;
}

/**
 * Reads no more files than the deck has places for a picture. They take up to 110 MB: call it only for a deck
 * that has a slot to be drawn in.
 */
export async function readChosen(
  { images }: Pick<Deps, 'images'>,
  { pictures, logo }: ChosenPictures,
  places: number,
): Promise<ChosenPictures & { files: DeckFiles }> {
  const signal = AbortSignal.timeout(readingFilesMs);
  const read = (row: PictureRow) => images.read(row.digest.toString('hex'), signal);
  const shown = pictures.slice(0, places);
  const [logoFile, ...found] = await Promise.all([logo && read(logo), ...shown.map(read)]);
  const files = found.filter(file => file !== null);
  if (shown.length > 0 && files.length === 0) throw picturesGone(shown.map(({ id }) => id));
  return {
    files: { pictures: files, logo: logoFile ?? null },
    pictures: shown.filter((_, i) => found[i] !== null),
    logo: logoFile ? logo : null,
  };
}

type Found = ChosenPictures & { ids: readonly string[]; isNeeded: boolean };

async function findChosen({ db }: Deps, app: PicturedApp, brief: Brief): Promise<Found> {
  const { templateId, ctaMode, pictureIds = [] } = brief;
  const isNeeded = templates.some(({ id, needsPictures }) => id === templateId && needsPictures);
  const ids = isNeeded ? pictureIds : [];
  const logoId = templateId === undefined ? null : (app.brand?.logoImageId ?? null);
  const requested = logoId ? [...ids, logoId] : ids;
  const rows = requested.length > 0 ? await findPictures(db, app.id, requested) : [];
  const byId = new Map(rows.map(row => [row.id, row]));
  const named = ids.flatMap(id => byId.get(id) ?? []);
  const usesDefault = isNeeded && ids.length === 0;
  const defaults = usesDefault
    ? await findDefaults(db, app, templateId === 'photo-card' ? 'upload' : 'screenshot')
    : [];
  const hasIcon = templateId !== undefined && ctaMode !== 'none' && logoId === null;
  const icon = hasIcon ? await findIcon(db, app.id) : null;
  // A logo that was deleted is left out.
  return {
    ids,
    isNeeded,
    pictures: usesDefault ? defaults : named,
    logo: logoId === null ? icon : (byId.get(logoId) ?? null),
  };
}

async function findDefaults(
  db: Deps['db'],
  app: PicturedApp,
  first: PictureRow['kind'],
): Promise<PictureRow[]> {
  const rows = await listOldestPictures(db, app.id, picturesMax);
  const shown = rows.filter(({ id }) => id !== app.brand?.logoImageId);
  return defaultPictures(shown, app.listing.screenshots, first).slice(0, chosenMax);
}

/**
 * Takes the pictures of kind `first`, or else the others. Uploads keep their order. Screenshots have the
 * order of the store page; those that it no longer has are shown while none of its own is there.
 */
export function defaultPictures(
  pictures: readonly PictureRow[],
  page: readonly string[],
  first: PictureRow['kind'],
): PictureRow[] {
  const preferred = pictures.filter(({ kind }) => kind === first);
  const shown = preferred.length > 0 ? preferred : [...pictures];
  const placeOf = ({ sourceUrl }: PictureRow): number => (sourceUrl === null ? -1 : page.indexOf(sourceUrl));
  const listed = shown.filter(picture => placeOf(picture) >= 0);
  return listed.length > 0 ? listed.toSorted((a, b) => placeOf(a) - placeOf(b)) : shown;
}

function picturesGone(ids: readonly string[]): ApiError {
  const subject =
    ids.length > 0
      ? `The pictures of this content are gone: ${ids.join(', ')}`
      : 'The app has no picture left';
  return new ApiError('slide_missing', `${subject}; its slides cannot be drawn.`);
}
