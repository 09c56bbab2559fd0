import type { Caller } from '@hookline/shared/http';
import { authorOf, mayApprove } from '@hookline/shared/http/authority';
import type { Change } from './record.ts';

/** Marks what a caller changes; null for somebody who may approve it without anybody else. */
export function changeBy(
  caller: Pick<Caller, 'scopes' | 'actor' | 'approvalPolicy'>,
  at: Date,
): Change | null {
  const { actor, approvalPolicy } = caller;
  const authorId = authorOf(caller);
  if (!actor || authorId === null) throw new Error('a change of an app needs somebody who makes it');
  if (mayApprove(caller) && approvalPolicy.selfApproval) return null;
  return { by: { kind: actor.kind, id: actor.id, name: actor.name }, authorId, at: at.toISOString() };
}
