import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { ContentDeps } from '../deps.ts';
import { fetchScreenshot } from './screenshots.ts';

export function fetchScreenshotsWorker(deps: ContentDeps, wake: () => void): Worker {
  return {
    name: 'fetch-screenshots',
    work: () => fetchScreenshot(deps),
    pollMs: 30_000,
    channels: { [channels.screenshots]: wake },
  };
}
