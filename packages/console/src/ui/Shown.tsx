import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorBox } from './ErrorBox.tsx';
import { Loading } from './Progress.tsx';

/** The first error of several reads; the retry repeats each that failed. Nothing while none has. */
export function ReadError({ queries }: { queries: readonly UseQueryResult[] }) {
  const failed = queries.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  return (
    <ErrorBox
      error={failed[0]?.error}
      onRetry={() => {
        for (const query of failed) void query.refetch();
      }}
    />
  );
}

/**
 * What was read. It stays below the error when a later read fails: a form that is unmounted loses what was
 * typed into it.
 */
export function Shown<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  if (query.isPending) return <Loading />;
  return (
    <>
      <ReadError queries={[query]} />
      {query.data !== undefined && children(query.data)}
    </>
  );
}
