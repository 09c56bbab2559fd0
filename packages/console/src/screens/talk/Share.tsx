import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useMe } from '../../me.ts';
import { reviewLinksOf, workspacesQuery } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { talkTexts } from '../../texts/talk.ts';
import type { Content, One, ReviewLink } from '../../types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Checkbox, Select } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { List } from '../../ui/List.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = talkTexts.share;
type Wanted = { expiresInHours: number; mayDecide: boolean };

/** Links that show this version to somebody without an account. */
export function ShareDialog({ content, onClose }: { content: Content; onClose: () => void }) {
  const { canApprove, isOwner } = useMe();
  const workspace = useQuery(workspacesQuery).data?.find(({ current }) => current);
  const path = `/content/${content.id}/review-links`;
  const list = useInfiniteQuery(reviewLinksOf(content.id));
  const [url, setUrl] = useState<string | null>(null);
  const make = useAction<Wanted, One<ReviewLink & { url?: string }>>(
    (body, key) => api.post(path, body, { key }),
    { changes: ['content'], onDone: ({ data }) => setUrl(data.url ?? null) },
  );
  const isWaiting = content.approvalStatus === 'pending' && !content.changesRequested;
  const submit = (given: FormData) =>
    make.mutate({ expiresInHours: Number(given.get('hours')), mayDecide: given.has('mayDecide') });
  return (
    <Dialog
      title={texts.common.shareVersion(content.version)}
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.common.close}</Button>}
    >
      <p className="text-soft">
        {words.lead} {workspace && words.from(workspace.name)}{' '}
        {isOwner && (
          <Link to="/settings" hash="workspace" className="underline underline-offset-2">
            {words.rename}
          </Link>
        )}
      </p>
      <ScriptForm onSubmit={submit}>
        <Select label={words.lasts} name="hours" defaultValue="72" options={words.durations} />
        {canApprove && isWaiting && (
          <Checkbox label={words.mayDecide} hint={words.mayDecideHint} name="mayDecide" defaultChecked />
        )}
        <FormActions label={words.make} action={make} />
      </ScriptForm>
      {make.data && (
        <div className="grid gap-2 rounded-control bg-well p-3">
          <p role="status" className="text-sm font-semibold">
            {url ? words.once : words.lost}
          </p>
          {url && (
            <div className="flex flex-wrap items-center gap-3">
              <code className="min-w-0 flex-1 basis-60 font-mono text-sm break-all">{url}</code>
              <CopyButton text={url} label={words.copy} className="!min-h-11" />
              {'share' in navigator && (
                // Rejects when the person closes the sheet of the phone.
                <Button tone="primary" onClick={() => void navigator.share({ url }).catch(() => {})}>
                  {words.send}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
      <section className="grid gap-2">
        <h3 className="font-semibold">{words.open}</h3>
        <List
          query={list}
          label={words.open}
          empty={<p className="text-soft">{words.none}</p>}
          row={link => <OpenLink link={link} content={content} />}
        />
      </section>
    </Dialog>
  );
}

function OpenLink({ link, content }: { link: ReviewLink; content: Content }) {
  const withdraw = useAction(() => api.delete(`/content/${content.id}/review-links/${link.id}`), {
    changes: ['content'],
  });
  return (
    <div className="flex flex-wrap items-center gap-3 p-3">
      <div className="grid flex-1 basis-40 justify-items-start gap-0.5 text-sm">
        <p className="font-semibold">{texts.approve.version(link.version)}</p>
        <p className="wrap-anywhere text-soft">
          {link.createdBy?.name} · {words.until} <TimeInZone at={link.expiresAt} />
        </p>
        <Badge>
          {link.version !== content.version ? words.outdated : link.mayDecide ? words.decides : words.looks}
        </Badge>
      </div>
      <Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {words.withdraw}
      </Button>
      {withdraw.error && <ErrorBox error={withdraw.error} />}
    </div>
  );
}
