import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react';
import { type ListQuery, readMore, rowsOf } from '../queries.ts';
import { secondTapMs } from '../rules/durations.ts';
import { texts } from '../texts/shell.ts';
import { dayName, dayOf } from '../zone.ts';
import { Button } from './Button.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { Loading } from './Progress.tsx';
import { useZone } from './TimeInZone.tsx';

type PagesProps<T> = {
  query: ListQuery<T>;
  empty: ReactNode;
  /** It chooses among the rows read so far; `More` reaches what is further down. */
  matches?: ((row: T) => boolean) | undefined;
  children: (rows: readonly T[]) => ReactNode;
};

/**
 * The frame of everything that is read by cursor: loading, error, empty, the rows, and the button for more.
 */
export function Pages<T>({ query, empty, matches, children }: PagesProps<T>) {
  if (query.isPending) return <Loading />;
  if (!query.data) return <ErrorBox error={query.error} onRetry={() => void query.refetch()} />;
  const rows = matches ? rowsOf(query).filter(matches) : rowsOf(query);
  if (rows.length === 0 && !query.hasNextPage) return <>{empty}</>;
  return (
    <div className="grid gap-4">
      {query.isRefetchError && <ErrorBox error={query.error} onRetry={() => void query.refetch()} />}
      {rows.length > 0 && children(rows)}
      <More query={query} />
    </div>
  );
}

type ListProps<T> = Omit<PagesProps<T>, 'children'> & {
  /** Names the list for assistive technology. */
  label: string;
  row: (row: T) => ReactNode;
  /** Default: its id. */
  keyOf?: (row: T) => string;
  /** Side by side, not one below the other. */
  isGrid?: boolean;
  /** Groups the rows by their day. */
  at?: (row: T) => string;
};

const idOf = (row: object): string => ('id' in row ? String(row.id) : '');

export function List<T extends object>({
  label,
  row,
  keyOf = idOf,
  at,
  isGrid = false,
  ...frame
}: ListProps<T>) {
  const list = (rows: readonly T[]) => (
    <Settling
      keys={rows.map(keyOf).join(' ')}
      aria-label={label}
      className={
        isGrid
          ? 'grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-5'
          : 'overflow-hidden rounded-card border border-line bg-sheet'
      }
    >
      {rows.map(found => (
        <li key={keyOf(found)} className={isGrid ? '' : 'border-line not-last:border-b'}>
          {row(found)}
        </li>
      ))}
    </Settling>
  );
  return <Pages {...frame}>{rows => (at ? <Days rows={rows} at={at} ofDay={list} /> : list(rows))}</Pages>;
}

/** Rows that have just moved cannot be pressed: the second of two taps on one that left would be for the next. */
function Settling({ keys, ...rest }: ComponentProps<'ul'> & { keys: string }) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(keys);
  useLayoutEffect(() => {
    const style = list.current?.style;
    const isMoved = !keys.startsWith(before.current);
    before.current = keys;
    if (!style || !isMoved) return;
    const settle = () => style.removeProperty('pointer-events');
    style.setProperty('pointer-events', 'none');
    const timer = setTimeout(settle, secondTapMs);
    return () => {
      clearTimeout(timer);
      settle();
    };
  }, [keys]);
  return <ul ref={list} {...rest} />;
}

type DaysProps<T> = {
  rows: readonly T[];
  at: (row: T) => string;
  ofDay: (rows: readonly T[]) => ReactNode;
};

/** Rows under headings of their days in the zone of the workspace. */
export function Days<T>({ rows, at, ofDay }: DaysProps<T>) {
  const zone = useZone();
  return [...Map.groupBy(rows, row => dayOf(at(row), zone))].map(([day, found]) => (
    <section key={day} className="grid gap-2">
      <h2 className="font-sans text-sm font-semibold text-soft">{dayName(`${day}T12:00Z`, 'UTC')}</h2>
      {ofDay(found)}
    </section>
  ));
}

function More<T>({ query }: { query: ListQuery<T> }) {
  if (query.isFetchNextPageError) {
    return <ErrorBox error={query.error} onRetry={() => void readMore(query)} />;
  }
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button busy={query.isFetchingNextPage} onClick={() => void readMore(query)}>
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
