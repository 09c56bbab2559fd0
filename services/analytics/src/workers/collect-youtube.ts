import type { Worker } from '@hookline/shared/service';
import { collectYoutube } from '../actions/collect-youtube.ts';
import { channels } from '../channels.ts';
import type { AnalyticsDeps } from '../deps.ts';

export function collectYoutubeWorker(deps: AnalyticsDeps, wake: () => void): Worker {
  return {
    name: 'collect-youtube',
    work: async () => deps.isYoutubeRead && collectYoutube(deps),
    pollMs: deps.timings.pollMs,
    concurrency: 2,
    channels: { [channels.work]: wake },
  };
}
