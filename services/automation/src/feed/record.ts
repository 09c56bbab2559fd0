import type { EventContent } from '@hookline/shared/contracts/content';
import type { Schedule } from '@hookline/shared/contracts/schedules';
import type { FeedEvent } from '@hookline/shared/contracts/webhooks';
import type { MediaLinks } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';

export type FeedEventRow = {
  id: string;
  position: number;
  type: string;
  resource: string;
  sequence: number;
  data: unknown;
  createdAt: Date;
};

export type NewFeedEvent = Omit<FeedEventRow, 'position'> & { accountId: string };

/** `requestId` and `traceparent` are those with which it reached the feed. */
export type TracedEvent = FeedEventRow & { requestId: string | null; traceparent: string | null };

/** A reader gets other contents as their ids, other schedules as ids and status (D-68). */
export type EventReads = { readsContent: boolean; readsSchedules: boolean };

type EventView = EventReads & { links: MediaLinks; at: Date };

/**
 * The feed answers and webhooks carry this object (API-17): the resource as the API returned it then, with
 * image links that live for at least another 24 h.
 */
export function toEventObject(row: FeedEventRow, view: EventView): FeedEvent {
  const createdAt = row.createdAt.toISOString();
  const data = dataOf(row, view);
  return { id: row.id, type: row.type, timestamp: createdAt, createdAt, sequence: row.sequence, data };
}

function dataOf(row: FeedEventRow, view: EventView): Record<string, unknown> {
  if (row.type.startsWith('content.')) return contentOf(row, view);
  if (row.type.startsWith('schedule.') && !view.readsSchedules) {
    const { id, contentId, status } = row.data as Schedule;
    return { id, contentId, status };
  }
  return row.data as Record<string, unknown>;
}

function contentOf(
  { data, createdAt }: FeedEventRow,
  { readsContent, links, at }: EventView,
): Record<string, unknown> {
  const content = data as EventContent;
  if (!readsContent) return { id: content.id };
  // Links change in steps of a day from the event, so that attempts close together carry the same bytes.
  const days = Math.max(0, Math.floor((at.getTime() - createdAt.getTime()) / dayMs));
  const linksFrom = new Date(createdAt.getTime() + days * dayMs);
  const images = content.images.map(({ imageId, index, ...file }) => ({
    index,
    url: links.imageUrl(imageId, linksFrom),
    ...file,
  }));
  return { ...content, images };
}
