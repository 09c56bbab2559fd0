import { invalidRequest } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/content';
import type { DeckBrand } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { findPictures, listOldestPictures } from '../queries/pictures.ts';
import type { AppRow } from '../records/app.ts';
import type { PictureRow } from '../records/picture.ts';

/** Pictures of one deck. */
const chosenMax = 10;

type Deps = Pick<ContentDeps, 'db' | 'images'>;

/**
 * Reads the pictures of a deck: those of `brief.pictureIds`, else the app's own, oldest first. A photo-card takes
 * uploads before screenshots, a screenshot-card the other way round.
 * @throws ApiError `invalid_request` for a picture of another app, and when there is none; ImageStoreError
 */
export async function readPictures(deps: Deps, app: AppRow, brief: Brief): Promise<Buffer[]> {
  const { templateId } = brief;
  if (templateId !== 'photo-card' && templateId !== 'screenshot-card') return [];
  const rows = brief.pictureIds?.length
    ? await findGiven(deps, app, brief.pictureIds)
    : await findOwn(deps, app, templateId === 'photo-card' ? 'upload' : 'screenshot');
  const files = await Promise.all(rows.map(row => readFile(deps, row)));
  const found = files.filter(file => file !== null);
  if (found.length > 0) return found;
  throw invalidRequest(
    `brief.templateId ${templateId} needs a picture of the app; add one with POST /apps/${app.id}/pictures`,
  );
}

async function findGiven({ db }: Deps, app: AppRow, ids: readonly string[]): Promise<PictureRow[]> {
  const found = new Map((await findPictures(db, app.id, ids)).map(row => [row.id, row]));
  return ids.map((id, index) => {
    const row = found.get(id);
    if (row) return row;
    throw invalidRequest(`brief.pictureIds[${index}] must be the id of a picture of the app`);
  });
}

async function findOwn({ db }: Deps, app: AppRow, first: PictureRow['kind']): Promise<PictureRow[]> {
  const rows = await listOldestPictures(db, app.id);
  const preferred = rows.filter(({ kind }) => kind === first);
  return (preferred.length > 0 ? preferred : rows).slice(0, chosenMax);
}

/** What the slides show of a brand. A logo that was deleted is left out. */
export async function readBrand(deps: Deps, { id, brand }: AppRow): Promise<DeckBrand | undefined> {
  if (!brand) return undefined;
  const { colors, fonts, handle, logoImageId } = brand;
  const [row] = logoImageId ? await findPictures(deps.db, id, [logoImageId]) : [];
  const logo = row ? await readFile(deps, row) : null;
  return {
    colors: colors ?? undefined,
    fonts: fonts ?? undefined,
    handle: handle ?? undefined,
    logo: logo ?? undefined,
  };
}

function readFile({ images }: Deps, { digest }: PictureRow): Promise<Buffer | null> {
  return images.read(digest.toString('hex'));
}
