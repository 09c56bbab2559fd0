import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useMe } from '../me.ts';
import { workspaceQuery } from '../queries.ts';
import { sendingTexts as words } from '../texts/sending.ts';
import type { One, Workspace } from '../types.ts';
import { Button } from './Button.tsx';
import { ConfirmDialog } from './Dialog.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { Icon } from './Icon.tsx';
import { useAction } from './useAction.ts';

function useSwitch(onDone?: () => void) {
  return useAction((sendingPaused: boolean) => api.patch<One<Workspace>>('/workspace', { sendingPaused }), {
    changes: ['workspace', 'schedules'],
    ...(onDone && { onDone }),
  });
}

/** In the navigation, for owners: stops every post of the workspace. */
export function SendingSwitch() {
  const { isOwner } = useMe();
  const workspace = useQuery(workspaceQuery).data;
  const [isAsking, setIsAsking] = useState(false);
  const change = useSwitch(() => setIsAsking(false));
  if (!isOwner || !workspace || workspace.sendingPaused) return null;
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        className="justify-self-start !px-2.5 !font-normal !text-soft"
        icon={<Icon name="stop" />}
        onClick={() => setIsAsking(true)}
      >
        {words.stop}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.question}
          confirm={words.confirm}
          action={change}
          onConfirm={() => change.mutate(true)}
          onClose={() => setIsAsking(false)}
        >
          {words.effect}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Above every screen while no post goes out. */
export function SendingPaused() {
  const { isOwner } = useMe();
  const workspace = useQuery(workspaceQuery).data;
  const change = useSwitch();
  if (!workspace?.sendingPaused) return null;
  return (
    <div role="status" className="bg-float-wash px-4 py-2 text-center text-sm font-medium text-float-ink">
      <span>{words.paused}</span>{' '}
      {isOwner && (
        <Button tone="quiet" disabled={change.isPending} onClick={() => change.mutate(false)}>
          {words.resume}
        </Button>
      )}
      {change.error && <ErrorBox error={change.error} />}
    </div>
  );
}
