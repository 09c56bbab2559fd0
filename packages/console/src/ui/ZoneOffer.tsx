import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { readFlag, writeFlag } from '../flags.ts';
import { workspaceQuery, workspacesQuery } from '../queries.ts';
import { zoneTexts as words } from '../texts/zone.ts';
import { deviceZone, showSameClock } from '../zone.ts';
import { Button } from './Button.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { useAction } from './useAction.ts';

const flag = 'zone-chosen';

/** Offered to owners until they choose in this browser. */
export function ZoneOffer() {
  const role = useQuery(workspacesQuery).data?.find(({ current }) => current)?.role;
  const zone = useQuery(workspaceQuery).data?.timezone;
  const own = deviceZone();
  const [isChosen, setIsChosen] = useState(() => readFlag(flag));
  const close = () => {
    writeFlag(flag, true);
    setIsChosen(true);
  };
  const change = useAction(() => api.patch('/workspace', { timezone: own }), {
    changes: ['workspace', 'workspaces'],
    onDone: close,
  });
  if (role !== 'owner' || !zone || isChosen || showSameClock(own, zone)) return null;
  const [ownName, name] = [own, zone].map(given => given.replaceAll('_', ' ')) as [string, string];
  return (
    <div className="flex flex-wrap items-center justify-center gap-2 bg-well px-4 py-2 text-sm">
      <p>{words.differ(ownName, name)}</p>
      <Button size="small" busy={change.isPending} onClick={() => change.mutate()}>
        {words.use(ownName)}
      </Button>
      <Button size="small" tone="quiet" onClick={close}>
        {words.keep(name)}
      </Button>
      {change.error && <ErrorBox error={change.error} />}
    </div>
  );
}
