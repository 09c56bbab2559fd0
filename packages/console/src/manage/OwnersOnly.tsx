import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMe } from '../me.ts';
import { workspacesQuery } from '../queries.ts';
import { texts } from '../texts/shell.ts';
import { Shown } from '../ui/Shown.tsx';

/**
 * What the server shows to owners only; others read why it is missing. Nothing of
 * `children` is requested for them.
 * @param what ends the sentence "Your role cannot ..."
 */
export function OwnersOnly({ what, children }: { what: string; children: ReactNode }) {
  const { isOwner, role } = useMe();
  return (
    <Shown query={useQuery(workspacesQuery)}>
      {() => (isOwner ? children : <p className="text-soft">{texts.common.roleLacks(role, what)}</p>)}
    </Shown>
  );
}
