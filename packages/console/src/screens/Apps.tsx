import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { appList } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { accountsQuery, rowsOf } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { takesApp } from '../rules/choices.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { AppIcon } from '../ui/AppIcon.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Icon } from '../ui/Icon.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { AddApp } from './apps/AddApp.tsx';

const words = manageTexts.apps;

export function Apps() {
  const { canEdit } = useMe();
  const query = useInfiniteQuery(appList);
  const accounts = useQuery(accountsQuery).data;
  const [isAdding, setAdding] = useState(false);
  const hasApps = rowsOf(query).length > 0;
  return (
    <Screen
      name={texts.screens.apps}
      lead={words.lead}
      actions={
        canEdit &&
        hasApps && (
          <Button icon={<Icon name="plus" />} onClick={() => setAdding(true)}>
            {words.addTitle}
          </Button>
        )
      }
    >
      <List
        query={query}
        label={words.list}
        empty={
          <EmptyState icon="apps" title={words.empty}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        }
        row={app => (
          <Link
            to="/apps/$appId"
            params={{ appId: app.id }}
            className="flex items-center gap-3 p-4 hover:bg-well"
          >
            <AppIcon app={app} />
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span dir="auto" className="font-semibold">
                {app.name}
              </span>
              <span dir="auto" className="line-clamp-3 text-sm text-soft">
                {app.details}
              </span>
              <span className="text-sm">
                {words.has(app, accounts?.filter(account => takesApp(account, app.id)).map(shortName))}
              </span>
            </span>
            <Icon name="forward" className="text-soft" />
          </Link>
        )}
      />
      {canEdit && query.isSuccess && !hasApps && (
        <Card title={words.addTitle}>
          <AddApp />
        </Card>
      )}
      {isAdding && (
        <Dialog title={words.addTitle} onClose={() => setAdding(false)}>
          <AddApp>
            <Button onClick={() => setAdding(false)}>{texts.common.cancel}</Button>
          </AddApp>
        </Dialog>
      )}
    </Screen>
  );
}
