import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { AnalyticsDeps } from '../deps.ts';
import { collectInstagram } from './collect-instagram.ts';
import { collectYoutube } from './collect-youtube.ts';

export function collectYoutubeWorker(deps: AnalyticsDeps, wake: () => void): Worker {
  return {
    name: 'collect-youtube',
    work: async () => deps.isYoutubeRead && collectYoutube(deps),
    pollMs: deps.timings.pollMs,
    concurrency: 2,
    needsSteadyClock: true,
    channels: { [channels.work]: wake },
  };
}

export function collectInstagramWorker(deps: AnalyticsDeps, wake: () => void): Worker {
  return {
    name: 'collect-instagram',
    work: () => collectInstagram(deps),
    pollMs: deps.timings.pollMs,
    concurrency: 4,
    needsSteadyClock: true,
    channels: { [channels.work]: wake },
  };
}
