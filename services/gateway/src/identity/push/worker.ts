import type { Worker } from '@hookline/shared/service';
import { channels } from '../../channels.ts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { sendPushes } from './send.ts';

/** Apart from the mails: a push service that hangs delays none. */
export function sendPushesWorker(deps: IdentityDeps, wake: () => void): Worker {
  return {
    name: 'send-pushes',
    work: () => sendPushes(deps),
    pollMs: 60_000,
    channels: { [channels.pushes]: wake },
  };
}
