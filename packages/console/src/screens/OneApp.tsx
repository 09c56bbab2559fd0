import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ownOrigin } from '../api.ts';
import { appQuery } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { contentList, rowsOf } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { App } from '../types.ts';
import { AppIcon } from '../ui/AppIcon.tsx';
import { Button } from '../ui/Button.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { NewDeckButton } from '../ui/NewDeckButton.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { AppReview } from './approve/AppReview.tsx';
import { BrandForm } from './apps/BrandForm.tsx';
import { Pictures } from './apps/Pictures.tsx';

const routeApi = getRouteApi('/in/apps/$appId');
const words = manageTexts.apps;
const link = 'inline-flex items-center underline underline-offset-2 pointer-coarse:min-h-11';

/** One app: its pictures, its brand and what decks are written from. */
export function OneApp() {
  const { appId } = routeApi.useParams();
  const query = useQuery(appQuery(appId));
  const { canApprove, canEdit } = useMe();
  return (
    <Screen
      name={query.data?.name ?? texts.screens.apps}
      above={
        <Link to="/apps" className={link}>
          {words.all}
        </Link>
      }
      icon={query.data && <AppIcon app={query.data} />}
      actions={query.data && <NewDeckButton appId={appId} tone="primary" />}
      isWide
    >
      <Shown query={query}>
        {app => (
          <>
            {canApprove && (
              <div>
                <AppReview appId={appId} />
              </div>
            )}
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
              <div className="grid gap-5">
                <Decks appId={appId} />
                <Pictures app={app} />
              </div>
              {canEdit && <BrandForm app={app} />}
            </div>
            <Listing app={app} />
          </>
        )}
      </Shown>
    </Screen>
  );
}

/** The newest decks, as far as they have slides, which show how its brand looks. */
function Decks({ appId }: { appId: string }) {
  const query = useInfiniteQuery(contentList({ appId, status: 'ready' }));
  const decks = rowsOf(query).filter(({ images }) => images.length > 0);
  if (decks.length === 0) return null;
  return (
    <Card title={words.decks}>
      <ul aria-label={words.decks} className="grid grid-cols-3 gap-3 sm:grid-cols-6">
        {decks.slice(0, 6).map(({ id, images: [cover], result }) => (
          <li key={id}>
            <ToDeck id={id} className="block hover:opacity-90">
              <img
                src={ownOrigin(cover?.thumbnailUrl ?? cover?.url ?? '')}
                alt={result?.hook ?? ''}
                loading="lazy"
                className="aspect-[9/16] w-full rounded-control bg-deep object-cover"
              />
            </ToDeck>
          </li>
        ))}
      </ul>
      <Link to="/posts" search={{ app: appId }} className={link}>
        {words.allDecks}
      </Link>
    </Card>
  );
}

function Listing({ app }: { app: App }) {
  const navigate = useNavigate();
  const { canEdit } = useMe();
  const [isDeleting, setDeleting] = useState(false);
  const refresh = useAction((_: undefined, key) => api.post(`/apps/${app.id}/refresh`, undefined, { key }), {
    changes: ['apps'],
    onDone: () => showToast({ text: words.refreshed }),
  });
  const remove = useAction(() => api.delete(`/apps/${app.id}`), {
    changes: ['apps'],
    onDone: () => void navigate({ to: '/apps', replace: true }),
  });
  return (
    <Card title={words.about}>
      <p dir="auto" className="text-sm whitespace-pre-line">
        {app.details}
      </p>
      <p className="text-sm text-soft">
        {words.updated} <TimeInZone at={app.updatedAt} isRelative />
      </p>
      {refresh.error && <ErrorBox error={refresh.error} />}
      {canEdit && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
            {words.refresh}
          </Button>
          <Button size="small" className="ms-auto !text-float-ink" onClick={() => setDeleting(true)}>
            {words.deleteApp}
          </Button>
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirm={words.deleteApp}
          action={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
