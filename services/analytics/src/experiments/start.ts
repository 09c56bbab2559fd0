import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import type { WriteContext } from '../deps.ts';
import { lockPlanned, savePlan } from './queries.ts';

type Order = { contentIds: readonly string[]; readAfterHours: number };

/**
 * Names the decks and the hours before any of them is posted. @returns the id of the experiment
 * @throws ApiError `not_found` for a first deck that was never approved, `already_sent`, `invalid_request`
 */
export async function startExperiment(
  { tx, accountId, now }: WriteContext,
  { contentIds, readAfterHours }: Order,
): Promise<string> {
  if (new Set(contentIds).size < contentIds.length) throw invalidRequest('against must name each deck once');
  const decks = await lockPlanned(tx, accountId, contentIds);
  const unknown = contentIds.find(id => !decks.some(({ contentId }) => contentId === id));
  if (unknown === contentIds[0]) throw notFound('content');
  if (unknown !== undefined) throw invalidRequest(`against must name approved decks; ${unknown} is none`);
  if (decks.some(({ isPosted }) => isPosted)) {
    throw new ApiError('already_sent', 'An experiment is named before any of its decks is posted.');
  }
  const taken = decks.find(({ isTaken }) => isTaken);
  if (taken)
    throw invalidRequest(`against must name no deck of another experiment, as ${taken.contentId} is`);
  if (new Set(decks.map(({ appId }) => appId)).size > 1) {
    throw invalidRequest('against must name decks of one app');
  }
  const hooks = new Set(decks.map(({ hook }) => hook)).size;
  if (hooks < 2 || hooks > 3) {
    throw invalidRequest(`against must name decks with two or three hooks in all, not ${hooks}`);
  }
  const id = newId('experiment', now.getTime());
  await savePlan(tx, accountId, { id, contentIds, readAfterHours, now });
  return id;
}
