import type { Worker } from '@hookline/shared/service';
import { channels } from '../../channels.ts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { advanceDeletions } from './advance.ts';

export function deleteWorkspacesWorker(deps: IdentityDeps, wake: () => void): Worker {
  return {
    name: 'delete-workspaces',
    work: () => advanceDeletions(deps),
    pollMs: 60_000,
    concurrency: 2,
    channels: { [channels.deletions]: wake },
  };
}
