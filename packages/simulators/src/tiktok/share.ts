import type { PhotoInit } from './init-rules.ts';

export type PulledImage = {
  digest: string;
  contentType: string;
  width: number;
  height: number;
  bytes: number;
};

export type ShareStatus = 'PROCESSING_DOWNLOAD' | 'SEND_TO_USER_INBOX' | 'PUBLISH_COMPLETE' | 'FAILED';

/** One accepted init and its current state. */
export type Share = PhotoInit & {
  publishId: string;
  postId: string;
  username: string;
  status: ShareStatus;
  failReason: string | null;
  images: PulledImage[];
  createdAt: number;
  pullAt: number;
  arrivedAt: number | null;
  isDraftOpen: boolean;
  /** Time at which moderation releases the post, for public posts. */
  publicAt: number | null;
  isPublic: boolean;
  /** Ids of further posts that the creator made from the same draft. */
  morePostIds?: string[] | undefined;
};
