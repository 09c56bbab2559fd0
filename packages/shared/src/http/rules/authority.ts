import type { Caller } from '../caller.ts';

/** True where the workspace lets people alone decide, and the caller is none. */
export function isPersonMissing({
  actor,
  approvalPolicy,
}: Pick<Caller, 'actor' | 'approvalPolicy'>): boolean {
  return approvalPolicy.approvers === 'people_only' && actor?.kind !== 'person';
}

/** True for a caller whose decisions the workspace accepts, whatever it says of versions and authors. */
export function mayApprove(caller: Pick<Caller, 'scopes' | 'actor' | 'approvalPolicy'>): boolean {
  return caller.scopes.includes('content:approve') && !isPersonMissing(caller);
}

/** Who counts as the author of what the caller writes: a key counts as the person who minted it. */
export function authorOf({ actor }: Pick<Caller, 'actor'>): string | null {
  return actor && (actor.creatorId ?? actor.id);
}
