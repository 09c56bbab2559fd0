/** YouTube Data API v3: the two calls that read numbers, and their answers. */
import {
  askPlatform,
  createPlatformAgent,
  type Fields,
  fieldsOf,
  type PlatformAnswer,
  parseFields,
  textOf,
} from '@hookline/shared/http';
import { type Numbers, readCount, readTime } from './numbers.rules.ts';

export const youtubeIdsMax = 50;

/** Calls with separate quotas; the first is preferred. */
export const youtubeBuckets = ['batch_get_stats', 'videos_list'] as const;
export type YoutubeBucket = (typeof youtubeBuckets)[number];

export type VideoStats = Numbers & { publishedAt: Date | null };

export type YoutubeAnswer =
  /** By id. A missing id is deleted, private or unknown. */
  | { kind: 'ok'; found: Map<string, VideoStats> }
  /** The day's quota is used up. */
  | { kind: 'quota' }
  /** Too many calls in a short time. */
  | { kind: 'busy' }
  /** The platform does not have the method. */
  | { kind: 'unsupported' }
  | { kind: 'key_refused'; reason: string }
  /** The query is refused; with several ids, one of them may be the cause. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type YoutubeOptions = { apiUrl: string; apiKey: string; timeoutMs: number };
export type YoutubeClient = ReturnType<typeof createYoutubeClient>;

const paths: Record<YoutubeBucket, string> = {
  batch_get_stats: '/youtube/v3/videos:batchGetStats',
  videos_list: '/youtube/v3/videos',
};

export function createYoutubeClient({ apiUrl, apiKey, timeoutMs }: YoutubeOptions) {
  const agent = createPlatformAgent();
  return {
    close: () => agent.close().catch(() => agent.destroy()),

    /** @param ids at most 50, each without commas. */
    async readStats(bucket: YoutubeBucket, ids: readonly string[]): Promise<YoutubeAnswer> {
      const query = new URLSearchParams({ part: 'statistics,snippet', id: ids.join(',') });
      const raw = await askPlatform(agent, {
        method: 'GET',
        url: `${apiUrl}${paths[bucket]}?${query}`,
        // In a header: a key in the URL would end up in proxy logs.
        headers: { 'x-goog-api-key': apiKey },
        timeoutMs,
      });
      return readAnswer(raw);
    },
  };
}

function readAnswer(raw: PlatformAnswer): YoutubeAnswer {
  if (raw.kind !== 'answered') return { kind: 'unavailable', reason: raw.reason };
  const body = parseFields(raw.text);
  if (raw.status === 200 && Array.isArray(body?.items)) return { kind: 'ok', found: readItems(body.items) };
  if (raw.status === 404) return { kind: 'unsupported' };
  const error = fieldsOf(body?.error);
  const reasons = [...reasonsOf(error.errors), ...reasonsOf(error.details)];
  const has = (...names: string[]): boolean => names.some(name => reasons.includes(name));
  const reason = reasons[0] ?? `status ${raw.status}`;
  if (has('quotaExceeded', 'dailyLimitExceeded')) return { kind: 'quota' };
  if (raw.status === 429 || has('rateLimitExceeded', 'userRateLimitExceeded')) return { kind: 'busy' };
  const isKey = has('API_KEY_INVALID', 'keyInvalid', 'keyExpired') || [401, 403].includes(raw.status);
  if (isKey) return { kind: 'key_refused', reason };
  return raw.status === 400 && body ? { kind: 'refused', reason } : { kind: 'unavailable', reason };
}

function reasonsOf(list: unknown): string[] {
  const entries = Array.isArray(list) ? list : [];
  return entries.map(entry => textOf(fieldsOf(entry).reason)).filter(reason => reason !== null);
}

function readItems(items: readonly unknown[]): Map<string, VideoStats> {
  const found = new Map<string, VideoStats>();
  for (const item of items.map(fieldsOf)) {
    const id = textOf(item.id);
    if (id !== null && item.statistics !== undefined) found.set(id, readItem(item));
  }
  return found;
}

// Counts are strings. Hidden likes and closed comments are absent, which does not mean "0".
function readItem(item: Fields): VideoStats {
  const statistics = fieldsOf(item.statistics);
  const snippet = fieldsOf(item.snippet);
  return {
    views: readCount(statistics.viewCount),
    likes: readCount(statistics.likeCount),
    comments: readCount(statistics.commentCount),
    publishedAt: readTime(snippet.publishTime ?? snippet.publishedAt),
  };
}
