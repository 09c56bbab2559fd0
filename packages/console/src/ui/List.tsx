import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/shell.ts';
import type { Page } from '../types.ts';
import { Button } from './Button.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { Loading } from './Progress.tsx';

type ListQuery<T> = UseInfiniteQueryResult<InfiniteData<Page<T>>>;

/** The rows of every page read so far. */
export function rowsOf<T>(query: ListQuery<T>): T[] {
  return query.data?.pages.flatMap(page => page.data) ?? [];
}

type Props<T> = {
  query: ListQuery<T>;
  /** Names the list for assistive technology. */
  label: string;
  empty: ReactNode;
  row: (row: T) => ReactNode;
  keyOf: (row: T) => string;
};

/** A list by cursor: loading, error, empty, rows and `More`. */
export function List<T>({ query, label, empty, row, keyOf }: Props<T>) {
  if (query.isPending) return <Loading />;
  if (query.isError && !query.data) {
    return <ErrorBox error={query.error} onRetry={() => void query.refetch()} />;
  }
  const rows = rowsOf(query);
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div className="grid gap-4">
      <ul aria-label={label} className="overflow-hidden rounded-card border border-line bg-sheet">
        {rows.map(found => (
          <li key={keyOf(found)} className="border-line not-last:border-b">
            {row(found)}
          </li>
        ))}
      </ul>
      <More query={query} />
    </div>
  );
}

/** The button that reads the next page; nothing when there is none. */
export function More<T>({ query }: { query: ListQuery<T> }) {
  if (query.isFetchNextPageError) {
    return <ErrorBox error={query.error} onRetry={() => void query.fetchNextPage()} />;
  }
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {texts.common.more}
      </Button>
    </div>
  );
}

export type Column<T> = { name: string; cell: (row: T) => ReactNode; isNumber?: boolean };

/** A table that scrolls sideways inside its frame when it is wider than the screen. */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-sheet"
    >
      <table className="w-full border-collapse break-normal text-start text-sm">
        <thead>
          <tr className="bg-well text-soft">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={`px-4 py-2.5 font-semibold whitespace-nowrap ${isNumber ? 'text-end' : 'text-start'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)} className="border-t border-line align-top">
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} className={`px-4 py-3 ${isNumber ? 'text-end tabular-nums' : ''}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
