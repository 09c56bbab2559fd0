import type { Worker } from '@hookline/shared/service';
import type { AnalyticsDeps } from '../deps.ts';
import { refreshSource } from './refresh.ts';

/** A token is due days before it expires, so a poll per minute is enough. */
export function refreshSourcesWorker(deps: AnalyticsDeps): Worker {
  const pollMs = 12 * deps.timings.pollMs;
  return { name: 'refresh-sources', work: () => refreshSource(deps), pollMs, needsSteadyClock: true };
}
