import type { Worker } from '@hookline/shared/service';
import { channels } from '../../channels.ts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { sendMail } from './send.ts';

/** Sends the mails that requests have stored, so that no request waits for an SMTP server. */
export function sendMailsWorker(deps: IdentityDeps, wake: () => void): Worker {
  return {
    name: 'send-mails',
    work: () => sendMail(deps),
    pollMs: 60_000,
    channels: { [channels.mails]: wake },
  };
}
