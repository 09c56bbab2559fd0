/** What an experiment says (docs/learning.md). */
import type { Experiment } from '@hookline/shared/contracts/experiments';
import { dayMs } from '@hookline/shared/kernel/durations';
import { type CountedDeck, compareDecks, decksNeeded } from '../decks/ledger.rules.ts';
import type { ExperimentDeck } from './record.ts';

const openDays = 90;

export type JudgedDeck = Omit<ExperimentDeck, 'experimentId' | 'startedAt' | 'readAfterHours'>;

/** @param earlier decks of the app before the start, by which the accounts are known */
export function judgeHooks(
  decks: readonly JudgedDeck[],
  earlier: readonly CountedDeck[],
  { startedAt, readAfterHours, now }: { startedAt: Date; readAfterHours: number; now: Date },
): Pick<Experiment, 'posts' | 'isFinal' | 'hooks' | 'decksNeeded' | 'verdict'> {
  const read = decks.flatMap(({ views, isEdited, isRejected, isRepeated, ...deck }) =>
    views === null || isEdited || isRejected || isRepeated ? [] : [{ ...deck, views }],
  );
  const audiences = Map.groupBy([...read, ...earlier], ({ tiktokAccountId }) => tiktokAccountId);
  const isLone = ({ tiktokAccountId }: Pick<JudgedDeck, 'tiktokAccountId'>) =>
    audiences.get(tiktokAccountId)?.length === 1;
  const posts = decks.map(deck => ({
    contentId: deck.contentId,
    hook: deck.hook,
    views: deck.views,
    leftOut: deck.isEdited
      ? ('edited' as const)
      : deck.isRejected
        ? ('rejected' as const)
        : deck.isRepeated
          ? ('same_deck' as const)
          : deck.views !== null && isLone(deck)
            ? ('lone_post' as const)
            : null,
  }));
  const waiting = posts.filter(({ views, leftOut }) => views === null && leftOut === null).length;
  // Edits and rejections may leave one hook, which has none to be compared with.
  const kinds = new Set(
    decks.flatMap(({ hook, isEdited, isRejected }) => (isEdited || isRejected ? [] : hook)),
  ).size;
  const isFinal = kinds < 2 || waiting === 0 || now.getTime() - startedAt.getTime() > openDays * dayMs;
  const needed = decksNeeded(Math.max(2, kinds));
  const counted = read.filter(deck => !isLone(deck));
  const values = [...counted.map(({ hook }) => hook), ...earlier.map(() => null)];
  const rows = isFinal ? compareDecks([...counted, ...earlier], values) : [];
  const hooks = rows.map(row => ({ of: 'hook' as const, ...row }));
  const gone = posts.filter(({ leftOut }) => leftOut === 'edited' || leftOut === 'rejected').length;
  const verdict =
    kinds < 2
      ? `Nothing is left to compare: ${gone} of ${posts.length} decks were rejected, or edited since the start.`
      : isFinal
        ? sayHooks(hooks, needed)
        : `${waiting} of ${posts.length} posts have no views of ${readAfterHours} h yet.`;
  return { posts, isFinal, hooks, decksNeeded: needed, verdict };
}

function sayHooks(hooks: Experiment['hooks'], needed: number): string {
  const better = hooks.find(({ verdict }) => verdict === 'better');
  if (better) {
    return `“${better.value}” brought ${better.lift} times the views of the others; the truth is between ${better.low} and ${better.high}.`;
  }
  if (hooks.length > 1 && hooks.every(({ verdict }) => verdict === 'no_difference')) {
    return 'No hook brings twice the views of another.';
  }
  const fewest = Math.min(...hooks.map(({ decks }) => decks), ...(hooks.length < 2 ? [0] : []));
  return `Too early to say: about ${needed} decks of each hook show a twofold difference in half of all cases, and a hook here has ${fewest}.`;
}
