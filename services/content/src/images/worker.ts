import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { ContentDeps } from '../deps.ts';
import { reapImages } from './reap.ts';

export function reapImagesWorker(deps: ContentDeps): Worker {
  return { name: 'reap-images', work: () => reapImages(deps), pollMs: hourMs };
}
