import { MeasuredPost, PublishedPost, VideoAnalytics } from '@hookline/shared/contracts/analytics';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';

export type PostRow = RowOf<PublishedPost, 'publishedAt'>;

export type MeasuredPostRow = Omit<ListedPostRow, 'videoId' | 'createdAt' | 'updatedAt'>;

export type ListedPostRow = RowOf<MeasuredPost, 'publishedAt' | 'collectedAt'>;

export function toListedPost(row: ListedPostRow): MeasuredPost {
  return recordOf(MeasuredPost, row);
}

export function toPost(row: PostRow) {
  return recordOf(PublishedPost, row);
}

const OfVideo = VideoAnalytics.shape.posts.element;

export function toMeasuredPost(row: MeasuredPostRow) {
  return recordOf(OfVideo, row);
}
