import type { Slide } from '@hookline/deck';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Brief, SentBrief } from '@hookline/shared/contracts/brief';
import { fittingTemplate } from '@hookline/shared/contracts/fitting-template';
import type { Sql } from '@hookline/shared/postgres';
import { type DeckFiles, templates } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { countPhotos, findIcon, findPictures, listOldestPictures } from './queries.ts';
import { type PicturedApp, type PictureRow, picturesMax } from './record.ts';

/** A deck shows at most this many pictures. */
const chosenMax = 10;

/** Reading the files of a deck, its logo included, takes at most this long. */
const readingFilesMs = 2_000;

type Deps = Pick<ContentDeps, 'db' | 'images'>;

/**
 * `pictures` is empty for a template that shows none; `named` are those that slides name. Without a logo of the
 * brand, `logo` is the app's icon.
 */
export type ChosenPictures = {
  pictures: readonly PictureRow[];
  named: readonly PictureRow[];
  logo: PictureRow | null;
};

/** The brief with the template that fits the app's pictures where it asks for that. */
export async function withTemplate(
  sql: Sql,
  app: Pick<PicturedApp, 'id' | 'brand'>,
  brief: SentBrief,
): Promise<Brief> {
  const { templateId, ...rest } = brief;
  if (templateId !== 'auto') return { ...brief, templateId };
  const photos = await countPhotos(sql, app.id, app.brand?.logoImageId ?? null);
  return { ...rest, templateId: fittingTemplate(photos) };
}

/**
 * Chooses the pictures of a new deck: those of `brief.pictureIds`, else the app's own.
 * @throws ApiError `invalid_request` for a picture of another app, and when there is none
 */
export async function choosePictures(deps: Deps, app: PicturedApp, brief: Brief): Promise<ChosenPictures> {
  const found = await findChosen(deps, app, brief);
  const missing = found.ids.findIndex(id => !found.knownIds.has(id));
  if (missing >= 0)
    throw invalidRequest(`brief.pictureIds[${missing}] must be the id of a ${namedBy(brief)} of the app`);
  if (found.isNeeded && found.pictures.length === 0) {
    throw needsPicture('brief.templateId', app, brief);
  }
  return found;
}

type EditedDeck = { brief: Brief; slides: readonly Slide[] };

/**
 * Chooses the pictures of an edited deck. One that was deleted since is left out.
 * @throws ApiError `invalid_request` for a picture that a slide newly names and the app does not have, for a
 * slide of `picture` without one, and for a new template that needs a picture where there is none
 */
export async function chooseKeptPictures(
  deps: Deps,
  app: PicturedApp,
  { brief, slides }: EditedDeck,
  before: EditedDeck,
): Promise<ChosenPictures> {
  const ids = new Set(slides.flatMap(({ pictureId }) => pictureId ?? []));
  const areSlides = brief.templateId === 'picture';
  if (ids.size > chosenMax && !areSlides)
    throw invalidRequest(`bodySlides must name at most ${chosenMax} pictures`);
  const { isNeeded, ...found } = await findChosen(deps, app, brief, [...ids]);
  const known = new Set(found.named.map(({ id }) => id));
  for (const { pictureId } of before.slides) if (pictureId !== undefined) known.add(pictureId);
  for (const [i, { kind, pictureId }] of slides.entries()) {
    if (pictureId === undefined ? !areSlides : known.has(pictureId)) continue;
    const field = kind === 'body' ? `bodySlides[${i - 1}]` : `${kind}Look`;
    throw invalidRequest(`${field}.pictureId must be the id of a ${namedBy(brief)} of the app`);
  }
  if (areSlides) return found;
  if (!isNeeded) return { ...found, named: [] };
  if (found.pictures.length + found.named.length > 0) return found;
  throw brief.templateId === before.brief.templateId
    ? picturesGone(found.ids)
    : needsPicture('templateId', app, brief);
}

/**
 * Reads no more files than the deck has places for a picture. They take up to 120 MB: call it only for a deck
 * that has a slot to be drawn in.
 * @returns the files, with the rows of `files.pictures`
 */
export async function readChosen(
  { images }: Pick<Deps, 'images'>,
  { pictures, named, logo }: ChosenPictures,
  slides: readonly Slide[],
  places: number,
): Promise<Omit<ChosenPictures, 'named'> & { files: DeckFiles }> {
  const signal = AbortSignal.timeout(readingFilesMs);
  const read = (row: PictureRow) => images.read(row.digest.toString('hex'), signal);
  // Slides that name no picture share these.
  const shared = pictures.slice(0, Math.min(places, Math.max(1, chosenMax - named.length)));
  const rows = [...shared, ...named.filter(row => !shared.some(({ id }) => id === row.id))];
  const [logoFile, ...found] = await Promise.all([logo && read(logo), ...rows.map(read)]);
  const files = found.filter(file => file !== null);
  if (rows.length > 0 && files.length === 0) throw picturesGone(rows.map(({ id }) => id));
  const there = rows.filter((_, i) => found[i] !== null);
  const placeOf = ({ pictureId }: Slide) => there.findIndex(({ id }) => id === pictureId);
  const others = there.filter(row => shared.includes(row)).length || there.length;
  const bySlide = slides.map(slide => (placeOf(slide) < 0 ? null : placeOf(slide)));
  return {
    files: { pictures: files, logo: logoFile ?? null, chosen: { bySlide, others } },
    pictures: there,
    logo: logoFile ? logo : null,
  };
}

type Found = ChosenPictures & {
  ids: readonly string[];
  knownIds: Pick<Map<string, unknown>, 'has'>;
  isNeeded: boolean;
};

async function findChosen(
  { db }: Deps,
  app: PicturedApp,
  brief: Brief,
  namedIds: readonly string[] = [],
): Promise<Found> {
  const { templateId, ctaMode, pictureIds: ids = [] } = brief;
  const areSlides = templateId === 'picture';
  const isNeeded =
    !areSlides && templates.some(({ id, needsPictures }) => id === templateId && needsPictures);
  const logoId = templateId === undefined || areSlides ? null : (app.brand?.logoImageId ?? null);
  const requested = [...ids, ...namedIds, ...(logoId ? [logoId] : [])];
  const rows = requested.length > 0 ? await findPictures(db, app.id, requested, areSlides) : [];
  const byId = new Map(rows.map(row => [row.id, row]));
  const named = isNeeded || areSlides ? ids.flatMap(id => byId.get(id) ?? []) : [];
  const usesDefault = isNeeded && ids.length === 0;
  const defaults = usesDefault
    ? await findDefaults(db, app, templateId === 'photo-card' ? 'upload' : 'screenshot')
    : [];
  const hasIcon = templateId !== undefined && ctaMode !== 'none' && logoId === null;
  const icon = hasIcon ? await findIcon(db, app.id) : null;
  return {
    ids,
    knownIds: byId,
    isNeeded,
    pictures: usesDefault ? defaults : named,
    named: namedIds.flatMap(id => byId.get(id) ?? []),
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

const namedBy = ({ templateId }: Brief): string =>
  templateId === 'picture' ? 'finished slide (a picture uploaded with kind=slide)' : 'picture';

/** The row of every slide of `picture`. @throws ApiError `slide_missing` for one that was deleted */
export function slideRows(
  { pictures, named }: ChosenPictures,
  slides: readonly Slide[],
): readonly PictureRow[] {
  const byId = new Map([...pictures, ...named].map(row => [row.id, row]));
  const gone = slides.flatMap(({ pictureId = '' }) => (byId.has(pictureId) ? [] : pictureId));
  if (gone.length > 0) throw picturesGone(gone);
  return slides.flatMap(({ pictureId = '' }) => byId.get(pictureId) ?? []);
}

function needsPicture(field: string, { id }: PicturedApp, { templateId }: Brief): ApiError {
  return invalidRequest(
    `${field} ${templateId} needs a picture of the app; add one with POST /apps/${id}/pictures`,
  );
}

function picturesGone(ids: readonly string[]): ApiError {
  const subject =
    ids.length > 0
      ? `The pictures of this content are gone: ${ids.join(', ')}`
      : 'The app has no picture left';
  return new ApiError('slide_missing', `${subject}; its slides cannot be drawn.`);
}
