import type { ErrorCode } from '@hookline/shared/contracts';
import type { ContentStatus, SendState } from './record.ts';

export type Refusal = { kind: 'refuse'; code: ErrorCode; message: string };

export function refusalUnlessReady(status: ContentStatus): Refusal | null {
  if (status === 'ready') return null;
  return { kind: 'refuse', code: 'not_ready', message: `This content is ${status}, not ready.` };
}

/** Refuses every change while a schedule is sending or has sent. */
export function refusalWhileSent(sendState: SendState): Refusal | null {
  if (sendState === 'sending') {
    return { kind: 'refuse', code: 'already_sending', message: 'A schedule of this content is on its way.' };
  }
  if (sendState === 'sent') {
    return {
      kind: 'refuse',
      code: 'already_sent',
      message: 'A schedule of this content was posted already.',
    };
  }
  return null;
}
