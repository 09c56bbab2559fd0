/**
 * What somebody typed and neither sent nor gave up. The tab keeps it, also where the sign-in leaves the page, and
 * gives it back to the same person in the same workspace.
 */
import { readJson, writeChoice } from './flags.ts';
import { ownerNow } from './queries.ts';

/** The state of the reject dialog on Approve. `linkedId` is the deck that the address named. */
export type RejectDraft = { id: string; linkedId: string | null; chips: readonly string[]; text: string };

const keyOf = (owner: string, name: string) => `draft ${owner} ${name}`;

export function readDraft<Draft>(name: string): Draft | null {
  const owner = ownerNow();
  return owner === null ? null : readJson(keyOf(owner, name), 'sessionStorage');
}

// A session that has just ended has no owner any more, and its form is still on the page for a moment.
let lastOwner: string | null = null;

/** @param draft null forgets it */
export function keepDraft(name: string, draft: unknown): void {
  const owner = ownerNow() ?? lastOwner;
  lastOwner = owner;
  if (owner === null) return;
  writeChoice(keyOf(owner, name), draft === null ? null : JSON.stringify(draft), 'sessionStorage');
}
