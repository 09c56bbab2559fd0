/** Status calls and webhooks report outcomes in one shape. */
export type PlatformOutcome =
  | { kind: 'inbox' }
  | { kind: 'complete'; postId: string | null }
  | { kind: 'failed'; reason: string }
  /** The platform no longer shows a public post. */
  | { kind: 'hidden'; postId: string | null }
  | { kind: 'open' };

export function outcomeOfStatus(
  status: string,
  failReason: string | null,
  postIds: readonly string[],
): PlatformOutcome {
  switch (status) {
    case 'SEND_TO_USER_INBOX':
      return { kind: 'inbox' };
    case 'PUBLISH_COMPLETE':
      return { kind: 'complete', postId: postIds[0] ?? null };
    case 'FAILED':
      return { kind: 'failed', reason: failReason ?? 'internal' };
    default:
      return { kind: 'open' };
  }
}

/** @returns null for events that carry no outcome. */
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
