import type { Platform } from '../platforms/numbers.rules.ts';

export type PostRow = {
  id: string;
  videoId: string;
  platform: Platform;
  platformPostId: string;
  publishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type MeasuredPostRow = {
  id: string;
  platform: Platform;
  platformPostId: string;
  publishedAt: Date | null;
  views: number | null;
  likes: number | null;
  comments: number | null;
  /** Null until numbers are collected. */
  collectedAt: Date | null;
};

export type ListedPostRow = PostRow & MeasuredPostRow;

export function toListedPost({ collectedAt, ...post }: ListedPostRow) {
  return { ...toPost(post), collectedAt: collectedAt?.toISOString() ?? null };
}

export function toPost<Row extends PostRow>({ publishedAt, createdAt, updatedAt, ...post }: Row) {
  return {
    ...post,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function toMeasuredPost({ id: _, publishedAt, collectedAt, ...post }: MeasuredPostRow) {
  return {
    ...post,
    publishedAt: publishedAt?.toISOString() ?? null,
    collectedAt: collectedAt?.toISOString() ?? null,
  };
}
