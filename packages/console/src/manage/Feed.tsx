import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Button, Spinner } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Loading } from '../ui/Progress.tsx';
import { type Feed, readFeed } from './read-feed.ts';

const shownAtFirst = 50;
/** Between two pages on the way to the newest: half of the 120 requests a minute that a session has. */
const nextPageMs = 1_000;
/** The stream says nothing of sign-ins and other rows of the audit log. */
const lookAgainMs = 20_000;

type Props<T> = {
  /** The first part of the query key, which a change on the stream invalidates. */
  name: string;
  path: string;
  label: string;
  empty: ReactNode;
  matches?: (row: T) => boolean;
  row: (row: T) => ReactNode;
  keyOf: (row: T) => string;
};

/** A feed, newest first, read on until the newest is there. What is new is read from where the last reading ended. */
export function FeedList<T>({ name, path, label, empty, matches, row, keyOf }: Props<T>) {
  const [shown, setShown] = useState(shownAtFirst);
  const queries = useQueryClient();
  const key = [name, 'feed', path];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readFeed<T>(path, queries.getQueryData<Feed<T>>(key), signal),
    refetchInterval: lookAgainMs,
    // Reading a long feed again from its oldest row takes minutes.
    gcTime: Number.POSITIVE_INFINITY,
  });
  const { refetch } = query;
  const isWaiting = query.data?.isComplete === false && !query.isFetching && !query.isError;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => void refetch(), nextPageMs);
    return () => clearTimeout(timer);
  }, [isWaiting, refetch]);
  if (query.isPending) return <Loading />;
  if (query.isError && !query.data) {
    return <ErrorBox error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { rows, isComplete, read } = query.data as Feed<T>;
  const found = rows.filter(given => matches?.(given) ?? true).reverse();
  return (
    <div className="grid gap-4">
      {query.isError && <ErrorBox error={query.error} onRetry={() => void query.refetch()} />}
      {!isComplete && (
        <p className="flex items-center gap-2 text-sm text-soft">
          <Spinner />
          {manageTexts.feed.reading(read)}
        </p>
      )}
      {found.length === 0 ? (
        empty
      ) : (
        <ul aria-label={label} className="overflow-hidden rounded-card border border-line bg-sheet">
          {found.slice(0, shown).map(given => (
            <li key={keyOf(given)} className="border-line not-last:border-b">
              {row(given)}
            </li>
          ))}
        </ul>
      )}
      {read > rows.length && found.length <= shown && (
        <p className="text-sm text-soft">{manageTexts.feed.window(rows.length)}</p>
      )}
      {found.length > shown && (
        <div className="flex justify-center">
          <Button onClick={() => setShown(shown + shownAtFirst)}>{texts.common.more}</Button>
        </div>
      )}
    </div>
  );
}
