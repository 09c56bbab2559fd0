import type { PlatformOutcome } from '../platform/carrier.rules.ts';

/** @returns null for events of TikTok that carry no outcome. */
export function outcomeOfEvent(
  event: string,
  fields: { reason: string | null; postId: string | null },
): PlatformOutcome | null {
  switch (event) {
    case 'post.publish.inbox_delivered':
      return { kind: 'inbox' };
    case 'post.publish.complete':
      return { kind: 'complete', postId: null };
    case 'post.publish.publicly_available':
      return { kind: 'complete', postId: fields.postId };
    // The wire misspells it.
    case 'post.publish.no_longer_publicaly_available':
      return { kind: 'hidden', postId: fields.postId };
    case 'post.publish.failed':
      return { kind: 'failed', reason: fields.reason ?? 'internal' };
    default:
      return null;
  }
}
