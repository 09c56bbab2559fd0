import type { Journal, Table } from '../state/journal.ts';

export const videoPlatforms = ['youtube', 'instagram', 'tiktok'] as const;
export type VideoPlatform = (typeof videoPlatforms)[number];

/** A null number is not served: hidden on YouTube, missing on Instagram. */
export type Video = {
  id: string;
  views: number | null;
  likes: number | null;
  comments: number | null;
  /** TikTok only. */
  shares?: number | null | undefined;
  publishedAt: string;
  /** Instagram only: the account whose token may read it. Null: any. */
  owner: string | null;
  /** Deleted or made private: answered as if it had never existed. */
  removed?: boolean | undefined;
  /** Not Instagram: every call that names it is answered 400, including for its other ids. */
  refused?: boolean | undefined;
  /** Instagram only: metrics and fields that this media does not have; one of them fails the whole call. */
  refusedNames?: string[] | undefined;
};

export type VideosState = {
  find(platform: VideoPlatform, id: string): Video | null;
  put(platform: VideoPlatform, video: Video): void;
  /** Lists the videos that were put. */
  list(platform: VideoPlatform): Video[];
};

const publishedAt = '2026-11-01T18:00:00.000Z';

const seeded = new Map<string, Video>([
  [
    'youtube dQsim000001',
    { id: 'dQsim000001', views: 1540, likes: 96, comments: 11, publishedAt, owner: null },
  ],
  [
    'instagram 17900000000000001',
    { id: '17900000000000001', views: 820, likes: 74, comments: 9, publishedAt, owner: null },
  ],
]);

export function createVideos(journal: Journal): VideosState {
  const table: Table<Video> = journal.table('videos');
  return {
    find: (platform, id) => table.get(`${platform} ${id}`) ?? seeded.get(`${platform} ${id}`) ?? null,
    put: (platform, video) => table.put(`${platform} ${video.id}`, video),
    list: platform =>
      [...table.entries()].filter(([key]) => key.startsWith(`${platform} `)).map(([, video]) => video),
  };
}
