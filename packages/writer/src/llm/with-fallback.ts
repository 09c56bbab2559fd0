import type { Logger } from '@hookline/shared/kernel';
import { type Writer, WritingRefused } from '../port.ts';

// A refused topic or a declined request is an answer: another writer must not bypass it.
const passedOn = new Set(['writer_unavailable', 'writer_unusable', 'avoided_words']);

/**
 * Uses the second writer when the first is unavailable or does not keep the rules. Only where configured;
 * each use is logged.
 */
export function withFallback(first: Writer, second: Writer, log: Logger): Writer {
  return {
    async write(request) {
      try {
        return await first.write(request);
      } catch (error) {
        if (!(error instanceof WritingRefused) || !passedOn.has(error.code)) throw error;
        const { code, message: reason } = error;
        log.warn({ code, reason, contentId: request.seed }, 'the fallback writes this deck');
        return await second.write(request);
      }
    },
  };
}
