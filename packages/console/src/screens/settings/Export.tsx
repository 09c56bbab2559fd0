import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ownOrigin } from '../../api.ts';
import { readChoice, writeChoice } from '../../flags.ts';
import { OwnersOnly } from '../../manage/OwnersOnly.tsx';
import { exportQuery, type WorkspaceExport } from '../../manage/queries.ts';
import { queryClient } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import type { One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Card } from '../../ui/Screen.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.exports;

/**
 * The archive of the workspace. Its link is shown again as long as it works: five exports a day are allowed.
 */
export function Export({ workspaceId }: { workspaceId: string }) {
  return (
    <Card title={words.title}>
      <p className="text-soft">{words.lead}</p>
      <OwnersOnly what={words.ownerOnly}>
        <Archive workspaceId={workspaceId} />
      </OwnersOnly>
    </Card>
  );
}

function Archive({ workspaceId }: { workspaceId: string }) {
  const kept = `export.${workspaceId}`;
  const [id, setId] = useState(() => readChoice(kept));
  const query = useQuery(exportQuery(id));
  const begin = useAction<void, One<WorkspaceExport>>(
    (_, key) => api.post<One<WorkspaceExport>>('/workspace/exports', undefined, { key }),
    {
      onDone: ({ data }) => {
        queryClient.setQueryData(exportQuery(data.id).queryKey, data);
        writeChoice(kept, data.id);
        setId(data.id);
      },
    },
  );
  const made = query.data;
  return (
    <div className="grid gap-4">
      {query.error && <ErrorBox error={query.error} onRetry={() => void query.refetch()} />}
      {made?.url && (
        <div className="grid gap-3 rounded-control bg-well p-4">
          <p role="status">{words.ready}</p>
          <div className="flex flex-wrap gap-2.5">
            <a
              href={ownOrigin(made.url)}
              download
              className="inline-flex min-h-11 items-center rounded-control border border-primary bg-primary px-4 font-semibold text-on-primary hover:opacity-90"
            >
              {words.download}
            </a>
            <CopyButton text={made.url} label={words.copy} className="min-h-11" />
          </div>
          <p className="text-sm text-soft">
            {words.linkHint} <TimeInZone at={made.expiresAt} />.
          </p>
        </div>
      )}
      {begin.error && <ErrorBox error={begin.error} />}
      <div>
        <Button busy={begin.isPending} onClick={() => begin.mutate()}>
          {words.begin}
        </Button>
      </div>
    </div>
  );
}
