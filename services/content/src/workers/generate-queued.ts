import type { Worker } from '@hookline/shared/service';
import { generateQueued } from '../actions/generate-queued.ts';
import { channels } from '../channels.ts';
import type { ContentDeps } from '../deps.ts';

/** Generates the contents of firings. */
export function generateQueuedWorker(deps: ContentDeps, wake: () => void): Worker {
  return {
    name: 'generate-queued',
    work: () => generateQueued(deps),
    pollMs: 2_000,
    concurrency: 2,
    channels: { [channels.work]: wake },
  };
}
