import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import { PictureError, RenderBusyError, readPicture } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { checkSoon } from '../images/queries-files.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import { changeBy } from './marks.rules.ts';
import {
  countPictures,
  deleteOlderSlides,
  findPicturedApp,
  insertPicture,
  lockCountOfPictures,
  lockPicturedApp,
} from './queries.ts';
import { type PictureRow, picturesMax, slidesMax } from './record.ts';
import { storePicture } from './store.ts';

export async function readUpload(
  deps: ContentDeps,
  { caller, appId, kind }: { caller: Caller; appId: string; kind: 'upload' | 'slide' },
  file: Buffer,
): Promise<PictureRow> {
  if (!(await findPicturedApp(deps.db, caller.accountId, appId))) throw notFound('app');
  const isSlide = kind === 'slide';
  if (!isSlide) requireRoom(await countPictures(deps.db, appId));
  try {
    const { accountId } = caller;
    const picture = await readPicture(accountId, file, { isSlide });
    const of = { accountId, appId, kind, sourceUrl: null };
    // No automation shows a slide.
    const unreviewed = isSlide ? null : changeBy(caller, deps.now());
    return await storePicture(deps, { ...of, unreviewed }, picture);
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof PictureError) {
    const message = `file ${error.message}`;
    if (error.reason === 'format') return new ApiError('unsupported_image_format', message, { status: 415 });
    if (error.reason === 'too_large') return new ApiError('image_too_large', message, { status: 413 });
    return invalidRequest(message);
  }
  if (error instanceof RenderBusyError || error instanceof ImageStoreError) {
    const message = 'The picture could not be stored now; try again.';
    return new ApiError('service_unavailable', message, { retryAfterSeconds: 2, cause: error });
  }
  return error;
}

export async function addPicture(tx: Transaction, row: PictureRow): Promise<PictureRow> {
  if (!(await lockPicturedApp(tx, row.accountId, row.appId))) throw notFound('app');
  if (row.kind !== 'slide') requireRoom(await lockCountOfPictures(tx, row.appId));
  await insertPicture(tx, row);
  if (row.kind === 'slide') {
    const older = await deleteOlderSlides(tx, row.appId, slidesMax);
    if (older.length > 0) await checkSoon(tx, older, row.createdAt);
  }
  return row;
}

function requireRoom(count: number): void {
  if (count < picturesMax) return;
  throw invalidRequest(`file cannot be added: an app has at most ${picturesMax} pictures`);
}
