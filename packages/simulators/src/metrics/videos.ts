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

export type NewVideo = Omit<Video, 'publishedAt'> & { publishedAt?: string | undefined };

export type VideosState = {
  find(platform: VideoPlatform, id: string): Video | null;
  /** Without a time of publication it is the one of the seeded videos. */
  put(platform: VideoPlatform, video: NewVideo): Video;
  /** Lists the videos that were put. */
  list(platform: VideoPlatform): Video[];
};

const ageMs = 20 * 86_400_000;

const seeded = new Map<string, NewVideo>([
  ['youtube dQsim000001', { id: 'dQsim000001', views: 1540, likes: 96, comments: 11, owner: null }],
  [
    'instagram 17900000000000001',
    { id: '17900000000000001', views: 820, likes: 74, comments: 9, owner: null },
  ],
]);

/** The seeded videos were published twenty days before the simulators started. */
export function createVideos(journal: Journal, startMs: number): VideosState {
  const table: Table<Video> = journal.table('videos');
  const publishedAt = new Date(startMs - ageMs).toISOString();
  const dated = (video: NewVideo): Video => ({ ...video, publishedAt: video.publishedAt ?? publishedAt });
  return {
    find(platform, id) {
      const known = seeded.get(`${platform} ${id}`);
      return table.get(`${platform} ${id}`) ?? (known ? dated(known) : null);
    },
    put(platform, video) {
      const saved = dated(video);
      table.put(`${platform} ${video.id}`, saved);
      return saved;
    },
    list: platform =>
      [...table.entries()].filter(([key]) => key.startsWith(`${platform} `)).map(([, video]) => video),
  };
}
