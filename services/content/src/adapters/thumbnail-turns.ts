import { createFairQueue, type FairQueue } from '@hookline/shared/kernel';

/** Longest wait for a turn: of one account alone, about 230 thumbnails of 17 ms. */
const waitMaxMs = 4_000;

/** One at a time, so that a long list does not take the processor from generations. */
export function createThumbnailTurns(): FairQueue {
  return createFairQueue({ slots: () => 1, waitMaxMs });
}
