import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'react';
import { useHidden } from '../../decisions.ts';
import { contentQuery, queueQuery } from '../../queries.ts';
import { begin, idOf, onScreen, reduce } from '../../rules/approve-queue.ts';

/** A page is read when this many decks are left on its side of the deck on screen. */
const readAheadDecks = 5;

/** The decks that wait, the one of them on screen, and how they are read. @param askedId the deck of a link */
export function useApproveQueue(askedId: string | null) {
  const queue = useInfiniteQuery(queueQuery);
  const hidden = useHidden();
  const [state, dispatch] = useReducer(reduce, askedId, begin);
  // A page that is read for itself may begin with what the one before it ended with.
  const decks = useMemo(() => {
    const rows = queue.data?.pages.flatMap(({ data }) => data) ?? [];
    return [...new Map(rows.map(deck => [deck.id, deck])).values()].filter(({ id }) => !hidden.has(id));
  }, [queue.data, hidden]);
  const id = idOf(state.place);
  // The deck that a link names, or that left the queue while it was on screen.
  const isAway = id !== null && !hidden.has(id) && decks.every(deck => deck.id !== id);
  const away = useQuery({ ...contentQuery(id ?? ''), enabled: isAway });
  const asked = isAway ? away.data : undefined;
  const isWhole = queue.isSuccess && !queue.failureReason && !queue.hasNextPage && !queue.hasPreviousPage;
  useLayoutEffect(() => dispatch({ is: 'read', decks, isWhole, asked }), [decks, isWhole, asked]);

  const index = onScreen(state.place)?.index ?? 0;
  useEffect(() => {
    if (queue.isFetching || queue.isError) return;
    if (decks.length - index <= readAheadDecks && queue.hasNextPage) void queue.fetchNextPage();
    else if (index < readAheadDecks && queue.hasPreviousPage) void queue.fetchPreviousPage();
  }, [decks.length, index, queue]);
  return { state, dispatch, queue, away: isAway && away.isError ? away : null };
}
