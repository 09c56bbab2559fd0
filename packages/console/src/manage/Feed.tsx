import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Loading } from '../ui/Progress.tsx';
import { type Feed, readFeed } from './queries.ts';

const shownAtFirst = 50;

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

/** A feed, newest first. What is new is read from where the last reading ended. */
export function FeedList<T>({ name, path, label, empty, matches, row, keyOf }: Props<T>) {
  const [shown, setShown] = useState(shownAtFirst);
  const queries = useQueryClient();
  const key = [name, 'feed', path];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readFeed<T>(path, queries.getQueryData<Feed<T>>(key), signal),
  });
  if (query.isPending) return <Loading />;
  if (query.isError && !query.data) {
    return <ErrorBox error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { rows, isComplete } = query.data as Feed<T>;
  const found = rows.filter(given => matches?.(given) ?? true).reverse();
  return (
    <div className="grid gap-4">
      {query.isError && <ErrorBox error={query.error} onRetry={() => void query.refetch()} />}
      {!isComplete && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
          <p>{manageTexts.feed.incomplete(rows.length)}</p>
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            {manageTexts.feed.readOn}
          </Button>
        </div>
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
      {found.length > shown && (
        <div className="flex justify-center">
          <Button onClick={() => setShown(shown + shownAtFirst)}>{texts.common.more}</Button>
        </div>
      )}
    </div>
  );
}
