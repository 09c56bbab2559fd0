/** What an experiment says (docs/learning.md). */
import type { Experiment } from '@hookline/shared/contracts/experiments';
import { dayMs } from '@hookline/shared/kernel/durations';
import { type CountedDeck, compareDecks, decksNeeded } from '../decks/ledger.rules.ts';
import type { ExperimentDeck, Started } from './record.ts';

const openDays = 90;

/** Each post has its views or is left out, fewer than two hooks are left, or nobody waits any longer. */
export function isOver({ startedAt }: Started, decks: readonly ExperimentDeck[], now: Date): boolean {
  const isLate = now.getTime() - startedAt.getTime() > openDays * dayMs;
  return isLate || kindsOf(decks) < 2 || !decks.some(isAwaited);
}

const isGone = ({ isEdited, isRejected }: ExperimentDeck) => isEdited || isRejected;
const isAwaited = (deck: ExperimentDeck) => deck.views === null && !isGone(deck) && !deck.isRepeated;
/** Edits and rejections may leave one hook, which has none to be compared with. */
const kindsOf = (decks: readonly ExperimentDeck[]) =>
  new Set(decks.flatMap(deck => (isGone(deck) ? [] : deck.hook))).size;

/**
 * @param decks oldest first
 * @param earlier decks of the app before the start, by which the accounts are known; null: it is not over
 */
export function judgeHooks(
  { id, appId, startedAt }: Started,
  decks: readonly ExperimentDeck[],
  earlier: readonly CountedDeck[] | null,
): Experiment {
  const read = decks.flatMap(deck =>
    deck.views === null || isGone(deck) || deck.isRepeated ? [] : [{ ...deck, appId, views: deck.views }],
  );
  const audiences = Map.groupBy([...read, ...(earlier ?? [])], ({ tiktokAccountId }) => tiktokAccountId);
  const isLone = ({ tiktokAccountId }: Pick<ExperimentDeck, 'tiktokAccountId'>) =>
    earlier !== null && audiences.get(tiktokAccountId)?.length === 1;
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
  const { readAfterHours } = decks[0]!;
  const kinds = kindsOf(decks);
  const needed = decksNeeded(Math.max(2, kinds));
  const started = { id, appId, readAfterHours, createdAt: startedAt.toISOString(), posts };
  if (earlier === null) {
    const verdict = `${decks.filter(isAwaited).length} of ${posts.length} posts have no views of ${readAfterHours} h yet.`;
    return { ...started, isFinal: false, hooks: [], decksNeeded: needed, verdict };
  }
  const counted = read.filter(deck => !isLone(deck)).toReversed();
  const values = [...counted.map(({ hook }) => hook), ...earlier.map(() => null)];
  const rows = compareDecks([...counted, ...earlier], values);
  const hooks = rows.map(row => ({ of: 'hook' as const, ...row }));
  const verdict =
    kinds < 2
      ? `Nothing is left to compare: ${decks.filter(isGone).length} of ${posts.length} decks were rejected, or edited since the start.`
      : sayHooks(hooks, needed);
  return { ...started, isFinal: true, hooks, decksNeeded: needed, verdict };
}

function sayHooks(hooks: Experiment['hooks'], needed: number): string {
  const found =
    hooks.find(({ verdict }) => verdict === 'better') ?? hooks.find(({ verdict }) => verdict === 'worse');
  if (found) {
    return `“${found.value}” brought ${found.lift} times the views of the others; the truth is between ${found.low} and ${found.high}.`;
  }
  if (hooks.length > 1 && hooks.every(({ verdict }) => verdict === 'no_difference')) {
    return 'No hook brings twice the views of another.';
  }
  const fewest = Math.min(...hooks.map(({ decks }) => decks), ...(hooks.length < 2 ? [0] : []));
  return `Too early to say: about ${needed} decks of each hook show a twofold difference in half of all cases, and a hook here has ${fewest}.`;
}
