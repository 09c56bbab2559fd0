import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Query } from '../api.ts';
import { useMe } from '../me.ts';
import { accountsQuery, appsQuery, contentList, dueQuery, recentSchedulesQuery, rowsOf } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { type Stage, stageOf } from '../rules/next-step.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, Page, Schedule } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { DeckLink } from '../ui/DeckLink.tsx';
import { deckName } from '../ui/deckName.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { NewDeckButton } from '../ui/NewDeckButton.tsx';
import { Pills } from '../ui/Pills.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { StageBadge } from '../ui/StageBadge.tsx';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { BulkDialog } from './approve/BulkDialog.tsx';
import { Schedules, statuses } from './posts/Schedules.tsx';

const routeApi = getRouteApi('/in/posts');
const words = workTexts.posts;

const filters: Partial<Record<string, Query>> = {
  pending: { approvalStatus: 'pending' },
  changes: { changesRequested: 'true' },
  approved: { approvalStatus: 'approved' },
  notMade: { status: 'failed' },
  rejected: { approvalStatus: 'rejected' },
};

type Search = Partial<Record<'state' | 'app' | 'account' | 'q', string | undefined>>;

function useNarrow(): (part: Search) => void {
  const search = routeApi.useSearch();
  const navigate = useNavigate();
  return part => {
    const given = Object.entries({ ...search, ...part }).filter(([, value]) => value);
    void navigate({ to: '/posts', search: Object.fromEntries(given) });
  };
}

/** Every deck, or what goes out: a deck has no account before it is scheduled, and may go to several. */
export function Posts() {
  const { account, state = 'all' } = routeApi.useSearch();
  const narrow = useNarrow();
  const names: Readonly<Record<string, string>> = account ? words.ofAccount : words.filters;
  const shown = state in names ? state : 'all';
  const status = statusOf(shown);
  return (
    <Screen name={texts.screens.posts} lead={account ? words.accountLead : words.lead}>
      <Pills
        label={words.filterLabel}
        name="state"
        names={names}
        value={shown}
        onChange={name => narrow({ state: name === 'all' ? '' : name })}
        isOneRow
      />
      {account || status ? (
        <>
          <div className="flex justify-end empty:hidden">
            <AccountSelect />
          </div>
          <Schedules tiktokAccountId={account} status={status} />
        </>
      ) : (
        <Decks key={shown} filter={shown} />
      )}
    </Screen>
  );
}

const statusOf = (state = ''): string | undefined =>
  new Map<string, string>(Object.entries(statuses)).get(state);

function AccountSelect() {
  const { account = '', state } = routeApi.useSearch();
  const accounts = useQuery(accountsQuery).data ?? [];
  const narrow = useNarrow();
  if (accounts.length < 2 && account === '') return null;
  return (
    <Select
      label={words.account}
      value={account}
      onChange={({ target: { value } }) =>
        // Schedules know no words and no app.
        narrow({ account: value, q: '', app: '', state: statusOf(state) && state })
      }
    >
      <option value="">{words.everyAccount}</option>
      {accounts.map(found => (
        <option key={found.id} value={found.id}>
          {shortName(found)}
        </option>
      ))}
    </Select>
  );
}

function Decks({ filter }: { filter: string }) {
  const search = routeApi.useSearch();
  const { canApprove } = useMe();
  const query = useInfiniteQuery(contentList({ ...filters[filter], appId: search.app, q: search.q }));
  const schedules = useQuery(recentSchedulesQuery);
  const apps = new Map(useQuery(appsQuery).data?.map(({ id, name }) => [id, name]));
  const [chosenIds, setChosen] = useState<readonly string[]>([]);
  const [isRejecting, setRejecting] = useState(false);
  const chosen = rowsOf(query).filter(({ id }) => chosenIds.includes(id));
  const leave = (id: string) => setChosen(ids => ids.filter(other => other !== id));
  const follow = useNarrow();
  const narrow = (part: Search) => {
    setChosen([]);
    follow(part);
  };

  return (
    <>
      <div className="flex flex-wrap items-end gap-3 *:flex-1">
        <form
          role="search"
          className="max-sm:basis-full sm:grow-2"
          onSubmit={event => {
            event.preventDefault();
            narrow({ q: String(new FormData(event.currentTarget).get('q')).trim() });
          }}
        >
          <Field
            key={search.q}
            label={words.search}
            type="search"
            name="q"
            maxLength={200}
            defaultValue={search.q}
          />
        </form>
        {apps.size > 1 && (
          <Select
            label={words.app}
            value={search.app ?? ''}
            onChange={event => narrow({ app: event.target.value })}
          >
            <option value="">{words.everyApp}</option>
            {[...apps].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <AccountSelect />
      </div>
      <DueNotice />
      <ReadError queries={[schedules]} />
      <List
        query={query}
        label={texts.screens.posts}
        keyOf={({ id }) => id}
        empty={
          filter === 'all' && !search.app && !search.q ? (
            <EmptyState icon="posts" title={words.empty} actions={<NewDeckButton tone="primary" />}>
              {words.emptyBody}
            </EmptyState>
          ) : (
            <p className="py-10 text-center text-soft">{words.emptyFilter}</p>
          )
        }
        row={content => (
          <Row content={content} app={apps.get(content.appId)} recent={schedules.data}>
            {filter === 'pending' && canApprove && (
              <label className="relative z-10 -m-2.5 grid size-11 shrink-0 place-items-center">
                <input
                  type="checkbox"
                  aria-label={words.select(deckName(content))}
                  className="size-6 accent-go"
                  checked={chosenIds.includes(content.id)}
                  onChange={({ target }) =>
                    target.checked ? setChosen([...chosenIds, content.id]) : leave(content.id)
                  }
                />
              </label>
            )}
          </Row>
        )}
      />
      {chosen.length > 0 && (
        <div className="sticky bottom-[calc(var(--bar)+1rem)] z-10 flex justify-center">
          <Button tone="float" className="shadow-lift" onClick={() => setRejecting(true)}>
            {words.rejectChosen(chosen.length)}
          </Button>
        </div>
      )}
      {isRejecting && (
        <BulkDialog kind="reject" decks={chosen} onDecided={leave} onClose={() => setRejecting(false)} />
      )}
    </>
  );
}

function DueNotice() {
  const due = useQuery(dueQuery).data ?? [];
  // The one that waits longest comes first; the list has the newest first.
  const next = due.at(-1);
  if (!next) return null;
  return (
    <Link
      to="/due/$scheduleId"
      params={{ scheduleId: next.id }}
      className="rounded-control bg-warn-wash px-4 py-3 font-semibold text-warn-ink underline underline-offset-4"
    >
      {workTexts.due.notice(due.length)}
    </Link>
  );
}

type RowProps = {
  content: Content;
  app: string | undefined;
  /** The newest schedules of all decks. */
  recent: Page<Schedule> | undefined;
  /** Before it. */
  children: ReactNode;
};

function Row({ content, app, recent, children }: RowProps) {
  const stage = recent && stageIn(recent, content);
  const schedule = stage && 'schedule' in stage ? stage.schedule : null;
  const why = content.error ?? schedule?.failure;
  return (
    <div className="relative flex items-center gap-4 p-3 hover:bg-well/60">
      {children}
      <Thumbnail images={content.images} />
      <div className="grid min-w-0 flex-1 gap-1">
        <DeckLink id={content.id} name={deckName(content)} />
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {stage && <StageBadge stage={stage.is} />}
          {app && <span>{app}</span>}
          <TimeInZone at={schedule?.scheduledFor ?? content.createdAt} />
        </p>
        {why && <p className="line-clamp-2 text-sm text-float-ink">{why.message}</p>}
      </div>
    </div>
  );
}

/** @returns undefined for a deck that is approved and may have been posted by an older schedule */
function stageIn({ data, nextCursor }: Page<Schedule>, content: Content): Stage | undefined {
  const schedules = data.filter(({ contentId }) => contentId === content.id);
  const stage = stageOf(content, schedules);
  return stage.is === 'approved' && schedules.length === 0 && nextCursor !== null ? undefined : stage;
}
