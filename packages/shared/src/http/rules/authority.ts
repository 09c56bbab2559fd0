import type { Caller } from '../caller.ts';

/** True for a caller whose decisions the workspace accepts, whatever it says of versions and authors. */
export function mayApprove({
  scopes,
  actor,
  approvalPolicy,
}: Pick<Caller, 'scopes' | 'actor' | 'approvalPolicy'>): boolean {
  const isRefused = approvalPolicy.approvers === 'people_only' && actor?.kind !== 'person';
  return scopes.includes('content:approve') && !isRefused;
}

/** Who counts as the author of what the caller writes: a key counts as the person who minted it. */
export function authorOf({ actor }: Pick<Caller, 'actor'>): string | null {
  return actor && (actor.creatorId ?? actor.id);
}
