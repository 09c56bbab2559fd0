import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { OwnersOnly } from '../../manage/OwnersOnly.tsx';
import { queryClient, signInOptionsQuery, workspaceQuery } from '../../queries.ts';
import { frozenTexts } from '../../texts/frozen.ts';
import { manageTexts } from '../../texts/manage.ts';
import type { One, Workspace } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';
import { PasswordDialog } from './PasswordDialog.tsx';

const words = manageTexts.leaving;

/** The deletion of the workspace, which takes effect after seven days, and its restore. */
export function Leaving({ workspace }: { workspace: Workspace }) {
  const [isAsking, setAsking] = useState(false);
  const { deletion } = workspace;
  return (
    <Card title={words.title}>
      {deletion ? (
        <div className="grid gap-1 rounded-control bg-float-wash p-4">
          <p className="font-semibold text-float-ink">
            {frozenTexts.requested} <TimeInZone at={deletion.deletesAt} />.
          </p>
          <p>{frozenTexts.frozen}</p>
        </div>
      ) : (
        <p className="text-soft">{words.lead}</p>
      )}
      <OwnersOnly what={words.ownerOnly}>
        <div>
          <Button
            tone={deletion ? 'primary' : 'plain'}
            className={deletion ? '' : '!text-float-ink'}
            onClick={() => setAsking(true)}
          >
            {deletion ? words.restore : words.begin}
          </Button>
        </div>
      </OwnersOnly>
      {isAsking && <Confirm workspace={workspace} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Confirm({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const options = useQuery(signInOptionsQuery);
  const issuer = options.data?.oidc?.name;
  // What the dialog is about, also after the answer has changed the workspace.
  const [isRestore] = useState(workspace.deletion !== null);
  const confirm = useAction(
    (given: string) => {
      const body = given === '' ? {} : { password: given };
      return isRestore
        ? api.post<One<Workspace>>('/workspace/restore', body)
        : api.delete<One<Workspace>>('/workspace', body);
    },
    {
      changes: ['workspaces', 'audit'],
      onDone: ({ data }) => {
        queryClient.setQueryData(workspaceQuery.queryKey, data);
        onClose();
        if (isRestore) showToast({ text: words.restored });
      },
    },
  );
  return (
    <PasswordDialog
      title={isRestore ? words.restoreTitle(workspace.name) : words.askTitle(workspace.name)}
      lead={
        <div className="grid gap-2 text-soft">
          <p>{isRestore ? words.restoreBody : words.askBody}</p>
          {!isRestore && <p>{words.exportFirst}</p>}
          <ReadError queries={[options]} />
        </div>
      }
      password={{
        label: words.password,
        hint: issuer && words.passwordHint(issuer),
        isOptional: issuer !== undefined,
      }}
      submit={{
        label: isRestore ? words.restore : words.begin,
        tone: isRestore ? 'primary' : 'float',
      }}
      action={confirm}
      onClose={onClose}
    />
  );
}
