import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaceQuery } from '../queries.ts';
import { frozenTexts as words } from '../texts/frozen.ts';
import { texts } from '../texts/shell.ts';
import { TimeInZone } from './TimeInZone.tsx';

/** Above every screen of a workspace whose deletion was requested. */
export function Frozen() {
  const deletion = useQuery(workspaceQuery).data?.deletion;
  if (!deletion) return null;
  return (
    <p role="status" className="bg-float-wash px-4 py-2 text-center text-sm font-medium text-float-ink">
      {words.requested} <TimeInZone at={deletion.deletesAt} />. {words.frozen}{' '}
      <Link to="/settings" hash="leaving" className="underline underline-offset-2">
        {texts.screens.settings}
      </Link>
    </p>
  );
}
