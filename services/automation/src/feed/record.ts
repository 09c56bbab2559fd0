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

/** With the request and span in which it reached the feed; null in rows written before these were stored. */
export type TracedEvent = FeedEventRow & { requestId: string | null; traceparent: string | null };

/** What a reader of events is given whole; the rest as a reference (D-68). */
export type EventReads = { readsContent: boolean; readsSchedules: boolean };

/**
 * The object of an event as the feed answers it and webhooks carry it (API-17): the resource as the
 * API returned it then, with image links that live for at least another 24 h.
 * @param reads a content not among them is its id alone, a schedule its ids and status.
 */
export function toEventObject(row: FeedEventRow, links: MediaLinks, now: Date, reads: EventReads): FeedEvent {
  const createdAt = row.createdAt.toISOString();
  const data = dataOf(row, links, now, reads);
  return { id: row.id, type: row.type, timestamp: createdAt, createdAt, sequence: row.sequence, data };
}

function dataOf(
  row: FeedEventRow,
  links: MediaLinks,
  now: Date,
  { readsContent, readsSchedules }: EventReads,
): Record<string, unknown> {
  if (row.type.startsWith('content.')) return contentOf(row, links, now, readsContent);
  if (row.type.startsWith('schedule.') && !readsSchedules) {
    const { id, contentId, status } = row.data as Schedule;
    return { id, contentId, status };
  }
  return row.data as Record<string, unknown>;
}

function contentOf(
  row: FeedEventRow,
  links: MediaLinks,
  now: Date,
  readsContent: boolean,
): Record<string, unknown> {
  const content = row.data as EventContent;
  if (!readsContent) return { id: content.id };
  return withLinks(content, links, linkTime(row.createdAt, now));
}

/** In steps of a day from the event, so that attempts close together carry the same bytes. */
function linkTime(createdAt: Date, now: Date): Date {
  const days = Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / dayMs));
  return new Date(createdAt.getTime() + days * dayMs);
}

function withLinks(content: EventContent, links: MediaLinks, at: Date): Record<string, unknown> {
  const images = content.images.map(({ imageId, index, ...file }) => ({
    index,
    url: links.imageUrl(imageId, at),
    ...file,
  }));
  return { ...content, images };
}
