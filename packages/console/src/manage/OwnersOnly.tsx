import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMe } from '../me.ts';
import { workspacesQuery } from '../queries.ts';
import { texts } from '../texts/shell.ts';
import { Loading } from '../ui/Progress.tsx';

/**
 * What the server shows to owners only; others read why it is missing. Nothing of
 * `children` is requested for them.
 * @param what ends the sentence "Your role cannot ..."
 */
export function OwnersOnly({ what, children }: { what: string; children: ReactNode }) {
  const { isOwner, role } = useMe();
  const { isPending } = useQuery(workspacesQuery);
  if (isPending) return <Loading />;
  if (isOwner) return children;
  return <p className="text-soft">{texts.common.roleLacks(role, what)}</p>;
}
