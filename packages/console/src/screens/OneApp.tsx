import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { appQuery } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { App } from '../types.ts';
import { AppIcon } from '../ui/AppIcon.tsx';
import { Button } from '../ui/Button.tsx';
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
      lead={
        <span className="flex flex-wrap items-center gap-x-4">
          {query.data && <AppIcon app={query.data} />}
          <Link to="/apps" className={link}>
            {words.all}
          </Link>
          <Link to="/posts" search={{ app: appId }} className={link}>
            {words.decks}
          </Link>
        </span>
      }
      actions={query.data && <NewDeckButton appId={appId} tone="primary" />}
    >
      <Shown query={query}>
        {app => (
          <>
            {canApprove && (
              <div>
                <AppReview appId={appId} />
              </div>
            )}
            <Pictures app={app} />
            {canEdit && <BrandForm key={appId} app={app} />}
            <Listing app={app} />
          </>
        )}
      </Shown>
    </Screen>
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
      <p className="text-sm whitespace-pre-line">{app.details}</p>
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
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
