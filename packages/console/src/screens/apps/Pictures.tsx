import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { api, isApiError, ownOrigin } from '../../api.ts';
import { useMe } from '../../me.ts';
import { picturesQuery } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import { texts } from '../../texts/shell.ts';
import type { App, Picture } from '../../types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useUploads } from './useUploads.ts';

const words = manageTexts.pictures;
/** What the API takes. A phone then converts what its camera writes otherwise. */
const types = ['image/jpeg', 'image/png', 'image/webp'];

/** The pictures of an app: what photo and screenshot decks show, and the logo. */
export function Pictures({ app }: { app: App }) {
  const { canEdit } = useMe();
  const [opened, setOpened] = useState<{ picture: Picture; name: string } | null>(null);
  const [deleting, setDeleting] = useState<Picture | null>(null);
  const brand = useAction(
    (logoImageId: string | null) => api.patch(`/apps/${app.id}`, { brand: { logoImageId } }),
    { changes: ['apps', 'content'], onDone: () => setOpened(null) },
  );
  const remove = useAction((id: string) => api.delete(`/apps/${app.id}/pictures/${id}`), {
    changes: ['apps', 'content'],
    onDone: () => setDeleting(null),
  });
  const isLogo = ({ id }: Picture) => id === app.brand?.logoImageId;
  const unreviewed = new Set(app.unreviewed?.map(({ pictureId }) => pictureId));
  return (
    <Card title={words.title}>
      {canEdit && <Upload appId={app.id} />}
      <Shown query={useQuery(picturesQuery(app.id))}>
        {pictures =>
          pictures.length === 0 ? (
            <p className="text-soft">{words.empty}</p>
          ) : (
            <ul aria-label={words.title} className="grid grid-cols-3 gap-3 sm:grid-cols-6">
              {pictures.map((picture, index) => (
                <li key={picture.id} className="grid content-start gap-2 text-sm">
                  <button
                    type="button"
                    className="rounded-control border border-line bg-well hover:opacity-90"
                    onClick={() => setOpened({ picture, name: words.nth(index + 1) })}
                  >
                    <img
                      src={`${ownOrigin(picture.url)}&w=270`}
                      alt={words.nth(index + 1)}
                      loading="lazy"
                      className="h-28 w-full rounded-control object-cover"
                    />
                  </button>
                  <p className="flex flex-wrap gap-1 empty:hidden">
                    {picture.kind !== 'upload' && <Badge>{words.kinds[picture.kind]}</Badge>}
                    {isLogo(picture) && <Badge tone="good">{words.logo}</Badge>}
                    {unreviewed.has(picture.id) && <Badge tone="warn">{words.unreviewed}</Badge>}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {opened && (
        <Dialog
          title={opened.name}
          onClose={() => setOpened(null)}
          actions={
            <>
              {canEdit && (
                <>
                  <Button
                    tone="quiet"
                    className="me-auto !text-float-ink"
                    onClick={() => {
                      setDeleting(opened.picture);
                      setOpened(null);
                    }}
                  >
                    {manageTexts.manage.delete}
                  </Button>
                  <Button
                    busy={brand.isPending}
                    onClick={() => brand.mutate(isLogo(opened.picture) ? null : opened.picture.id)}
                  >
                    {isLogo(opened.picture) ? words.noLogo : words.useAsLogo}
                  </Button>
                </>
              )}
              <Button onClick={() => setOpened(null)}>{texts.common.close}</Button>
            </>
          }
        >
          <img
            src={ownOrigin(opened.picture.url)}
            alt={opened.name}
            className="max-h-[65dvh] w-full rounded-control bg-well object-contain"
          />
          {brand.error && <ErrorBox error={brand.error} />}
        </Dialog>
      )}
      {deleting && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirm={manageTexts.manage.delete}
          action={remove}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(null)}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** The same file would be refused again. */
const isRefused = (error: unknown) => isApiError(error) && error.status >= 400 && error.status < 429;

type UploadProps = {
  appId: string;
  kind?: 'slide';
  label?: string;
  hint?: string;
  onUploaded?: (picture: Picture) => void;
};

export function Upload({ appId, label = words.add, hint = words.hint, ...upload }: UploadProps) {
  const id = useId();
  const { uploads, isBusy, add, retry } = useUploads(appId, upload);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') add([...event.dataTransfer.files]);
  };
  const failed = uploads.filter(({ error }) => error !== null);
  const done = uploads.filter(({ isDone }) => isDone).length;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way, the input is the first
    <div
      onDragOver={over}
      onDragLeave={over}
      onDrop={over}
      className={`grid gap-3 rounded-control border-2 border-dashed p-4 ${isOver ? 'border-go bg-go-wash' : 'border-line'}`}
    >
      <label
        htmlFor={id}
        className="relative inline-flex min-h-11 items-center justify-center justify-self-start rounded-control border border-edge/60 bg-sheet px-4 font-semibold hover:bg-well has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
      >
        {label}
        <input
          id={id}
          type="file"
          accept={types.join(',')}
          multiple
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      <p className="text-sm text-soft">
        {hint} <span className="pointer-coarse:hidden">{words.drop}</span>
      </p>
      {isBusy && (
        <Progress label={words.uploading(done, uploads.length)} done={done} total={uploads.length} />
      )}
      {failed.map(({ file, key, error }) => (
        <ErrorBox
          key={key}
          title={words.failed(file.name)}
          error={error}
          onRetry={isRefused(error) ? undefined : () => retry(key)}
        />
      ))}
    </div>
  );
}
