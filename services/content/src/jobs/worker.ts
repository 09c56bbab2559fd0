import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { ContentDeps } from '../deps.ts';
import { generateQueued } from './generate-queued.ts';

export function generateQueuedWorker(deps: ContentDeps, wake: () => void): Worker {
  return {
    name: 'generate-queued',
    work: () => generateQueued(deps),
    pollMs: 2_000,
    concurrency: 2,
    channels: { [channels.work]: wake },
  };
}
