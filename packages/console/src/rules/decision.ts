import type { Content } from '../types.ts';

type Decided = { content: Pick<Content, 'version'>; kind: 'approve' | 'reject' };

/**
 * What to do with a decision, by the deck as it is now: `send` it; it is `done`, as after an answer that was lost; or the deck
 * has `changed`, or somebody else decided, and theirs stands.
 */
export function verdictOf(
  { content, kind }: Decided,
  now: Pick<Content, 'version' | 'status' | 'approvalStatus'>,
): 'send' | 'done' | 'changed' {
  if (now.version !== content.version || now.status !== 'ready') return 'changed';
  if (now.approvalStatus === 'pending') return 'send';
  return now.approvalStatus === (kind === 'approve' ? 'approved' : 'rejected') ? 'done' : 'changed';
}

/** @param tries that failed so far @returns 2 s, doubled up to a minute */
export function retryAfterMs(tries: number): number {
  return Math.min(2_000 * 2 ** (tries - 1), 60_000);
}
