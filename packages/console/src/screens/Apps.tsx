import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { appList } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { AppIcon } from '../ui/AppIcon.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Icon } from '../ui/Icon.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { AddApp } from './apps/AddApp.tsx';

const words = manageTexts.apps;

export function Apps() {
  const { canEdit } = useMe();
  return (
    <Screen name={texts.screens.apps} lead={words.lead}>
      <List
        query={useInfiniteQuery(appList)}
        label={words.list}
        keyOf={({ id }) => id}
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
              <span className="font-semibold">{app.name}</span>
              <span className="line-clamp-2 text-sm text-soft">{app.details}</span>
            </span>
            <Icon name="forward" className="text-soft" />
          </Link>
        )}
      />
      {canEdit && <AddApp />}
    </Screen>
  );
}
