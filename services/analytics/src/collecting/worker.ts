import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { AnalyticsDeps } from '../deps.ts';
import { collectYoutube } from './collect-youtube.ts';

export function collectYoutubeWorker(deps: AnalyticsDeps, wake: () => void): Worker {
  return {
    name: 'collect-youtube',
    work: async () => deps.isYoutubeRead && collectYoutube(deps),
    pollMs: deps.timings.pollMs,
    concurrency: 2,
    channels: { [channels.work]: wake },
  };
}
