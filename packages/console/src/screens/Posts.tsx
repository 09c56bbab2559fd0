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
import { deckName } from '../ui/deckName.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { NewDeckButton } from '../ui/NewDeckButton.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { BulkDialog } from './approve/BulkDialog.tsx';
import { DeckCard } from './posts/DeckCard.tsx';
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
  const { account, state = 'all', app, q } = routeApi.useSearch();
  const names: Readonly<Record<string, string>> = account ? words.ofAccount : words.filters;
  const shown = state in names ? state : 'all';
  const status = statusOf(shown);
  const isOfSchedules = account !== undefined || status !== undefined;
  return (
    <Screen name={texts.screens.posts} lead={account ? words.accountLead : words.lead} isWide>
      <Filters names={names} shown={shown} isOfSchedules={isOfSchedules} />
      {isOfSchedules ? (
        <Schedules tiktokAccountId={account} status={status} />
      ) : (
        <Decks key={[shown, app, q].join()} filter={shown} />
      )}
    </Screen>
  );
}

const statusOf = (state = ''): string | undefined =>
  new Map<string, string>(Object.entries(statuses)).get(state);

type FiltersProps = { names: Readonly<Record<string, string>>; shown: string; isOfSchedules: boolean };

/** Schedules know no words and no app. */
function Filters({ names, shown, isOfSchedules }: FiltersProps) {
  const { account = '', app = '', q = '', state } = routeApi.useSearch();
  const apps = useQuery(appsQuery).data ?? [];
  const accounts = useQuery(accountsQuery).data ?? [];
  const narrow = useNarrow();
  const select = (label: string, value: string, rows: [string, string][], onChange: (to: string) => void) => (
    <Select isLabelHidden label={label} value={value} onValue={onChange} options={rows} />
  );
  return (
    <div className="grid grid-cols-2 gap-2 *:nth-3:col-span-full lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none lg:*:!col-span-1">
      {select(words.filterLabel, shown, Object.entries(names), to =>
        narrow({ state: to === 'all' ? '' : to }),
      )}
      {(accounts.length > 1 || account !== '') &&
        select(
          words.account,
          account,
          [['', words.everyAccount], ...accounts.map((one): [string, string] => [one.id, shortName(one)])],
          to => narrow({ account: to, q: '', app: '', state: statusOf(state) && state }),
        )}
      {!isOfSchedules &&
        apps.length > 1 &&
        select(
          words.app,
          app,
          [['', words.everyApp], ...apps.map(({ id, name }): [string, string] => [id, name])],
          to => narrow({ app: to }),
        )}
      {!isOfSchedules && (
        <ScriptForm
          role="search"
          className="not-nth-2:col-span-full"
          onSubmit={given => narrow({ q: String(given.get('q')).trim() })}
        >
          <Field
            key={q}
            isLabelHidden
            label={words.search}
            placeholder={words.search}
            type="search"
            name="q"
            maxLength={200}
            defaultValue={q}
          />
        </ScriptForm>
      )}
    </div>
  );
}

function Decks({ filter }: { filter: string }) {
  const search = routeApi.useSearch();
  const { canApprove } = useMe();
  const query = useInfiniteQuery(contentList({ ...filters[filter], appId: search.app, q: search.q }));
  const schedules = useQuery(recentSchedulesQuery);
  const [chosenIds, setChosen] = useState<readonly string[]>([]);
  const [isRejecting, setRejecting] = useState(false);
  const chosen = rowsOf(query).filter(({ id }) => chosenIds.includes(id));
  const leave = (id: string) => setChosen(ids => ids.filter(other => other !== id));

  return (
    <>
      <DueNotice />
      <ReadError queries={[schedules]} />
      <List
        isGrid
        query={query}
        label={texts.screens.posts}
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
          <Deck content={content} recent={schedules.data}>
            {filter === 'pending' && canApprove && (
              <label className="absolute end-1 top-1 z-10 grid size-11 place-items-center">
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
          </Deck>
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

type DeckProps = {
  content: Content;
  /** The newest schedules of all decks. */
  recent: Page<Schedule> | undefined;
  /** In its corner. */
  children: ReactNode;
};

function Deck({ content, recent, children }: DeckProps) {
  const { id, version, images, error, createdAt } = content;
  const stage = recent && stageIn(recent, content);
  const schedule = stage && 'schedule' in stage ? stage.schedule : null;
  return (
    <DeckCard
      id={id}
      name={deckName(content)}
      cover={images[0]?.thumbnailUrl ?? images[0]?.url}
      stage={stage?.is}
      at={schedule?.sentAt ?? schedule?.scheduledFor ?? createdAt}
      appId={content.appId}
      accountId={schedule?.tiktokAccountId}
      facts={[images.length > 0 && words.slides(images.length), version > 1 && words.version(version)]}
      why={(error ?? schedule?.failure)?.message}
    >
      {children}
    </DeckCard>
  );
}

/** @returns undefined for a deck that is approved and may have been posted by an older schedule */
function stageIn({ data, nextCursor }: Page<Schedule>, content: Content): Stage | undefined {
  const schedules = data.filter(({ contentId }) => contentId === content.id);
  const stage = stageOf(content, schedules);
  return stage.is === 'approved' && schedules.length === 0 && nextCursor !== null ? undefined : stage;
}
