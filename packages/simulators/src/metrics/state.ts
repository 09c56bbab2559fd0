import type { Journal } from '../state/journal.ts';
import { createMetricCalls, type MetricCalls } from './calls.ts';
import { createInstagramAccounts, type InstagramAccounts } from './instagram-accounts.ts';
import { createYoutubeQuota, type YoutubeQuota } from './youtube-quota.ts';

/** YouTube's and Instagram's state about their callers. */
export type MetricsState = { calls: MetricCalls; youtube: YoutubeQuota; instagram: InstagramAccounts };

export function createMetrics(journal: Journal): MetricsState {
  return {
    calls: createMetricCalls(journal),
    youtube: createYoutubeQuota(journal),
    instagram: createInstagramAccounts(journal),
  };
}
