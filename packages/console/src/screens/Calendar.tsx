import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutationState,
  useQuery,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { canChange, useMe } from '../me.ts';
import {
  accountsQuery,
  nextFiringsQuery,
  rowsOf,
  schedulesBetween,
  toScheduleQuery,
  workspaceQuery,
} from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { entriesByDay, type Look, mayPutOn, timeOn } from '../rules/calendar.ts';
import { addDays, daysOf, step, type View, views } from '../rules/month.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, Page, Schedule } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ReadError, Shown } from '../ui/Shown.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { dayOf, fromLocal, locale, toLocal } from '../zone.ts';
import { Day } from './calendar/Day.tsx';
import { accountColours, looks } from './calendar/looks.ts';
import { MoveDialog } from './calendar/MoveDialog.tsx';
import { Tray } from './calendar/Tray.tsx';
import { type Move, moveScope, useMove } from './calendar/useMove.ts';

const words = workTexts.calendar;
/**
 * Decks whose schedules are held: the newest 100 that wait for approval and as many rejected ones. A schedule
 * of an older one looks like any other until it is opened.
 */
const unapprovedQuery = queryOptions({
  queryKey: ['content', 'unapproved'],
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(
      ['pending', 'rejected'].map(approvalStatus =>
        api.get<Page<Content>>('/content', { approvalStatus, limit: 100 }, signal),
      ),
    );
    return new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  },
});

export function Calendar() {
  const workspace = useQuery(workspaceQuery);
  // A day in another zone than the workspace's would move posts to the wrong one.
  if (workspace.data) return <Month zone={workspace.data.timezone} />;
  return (
    <Screen name={texts.screens.calendar} isWide>
      <Shown query={workspace}>{() => null}</Shown>
    </Screen>
  );
}

function Month({ zone }: { zone: string }) {
  const now = toLocal(new Date().toISOString(), zone);
  const today = now.slice(0, 10);
  const navigate = useNavigate();
  const [view, setView] = useState<View>(() => (matchMedia('(width < 48rem)').matches ? 'day' : 'week'));
  const [addingOn, setAddingOn] = useState<string | null>(null);
  const [day, setDay] = useState(today);
  const [accountId, setAccountId] = useState('');
  const [moving, setMoving] = useState<Schedule | null>(null);
  const me = useMe();
  const accounts = useQuery(accountsQuery);
  const days = daysOf(view, day);
  const from = fromLocal(`${days[0]}T00:00`, zone) as string;
  const to = fromLocal(`${addDays(days.at(-1) as string, 1)}T00:00`, zone) as string;
  const schedules = useQuery({
    ...schedulesBetween(from, to, accountId || undefined),
    placeholderData: keepPreviousData,
  });
  const firings = useQuery(nextFiringsQuery);
  const unapproved = useQuery(unapprovedQuery);
  const unscheduled = useInfiniteQuery(toScheduleQuery);
  const isTrayEmpty = rowsOf(unscheduled).length === 0;

  // Drawn over what was read: a refused move is back at once, and a read in between does not undo it.
  const moves = useMutationState<Move>({
    filters: { status: 'pending', predicate: ({ options }) => options.scope?.id === moveScope },
    select: ({ state }) => state.variables as Move,
  });
  const shown = schedules.data?.map(schedule => {
    const move = moves.findLast(({ id }) => id === schedule.id);
    return move ? { ...schedule, scheduledFor: move.at } : schedule;
  });

  const [followedId, setFollowedId] = useState<string | null>(null);
  const keepFocus = (row: HTMLElement | null) => {
    if (row !== null && row.dataset.key === followedId) row.focus();
  };
  /** The row of a moved post is redrawn elsewhere: the focus follows until the next key or press. */
  const followRow = (id: string) => {
    setFollowedId(id);
    const forget = () => setFollowedId(followed => (followed === id ? null : followed));
    // The key press that drops the row is not the next one. A row lets none of its keys bubble.
    setTimeout(() => {
      for (const event of ['keydown', 'pointerdown'])
        addEventListener(event, forget, { once: true, capture: true });
    });
  };
  const move = useMove(zone, { onFailed: showProblem });
  const moveToDay = (id: string, to: string) => {
    followRow(id);
    const schedule = shown?.find(found => found.id === id);
    if (schedule === undefined || dayOf(schedule.scheduledFor, zone) === to) return;
    // The clock stays the same, also over a change of summer time.
    const at = fromLocal(`${to}T${toLocal(schedule.scheduledFor, zone).slice(11)}`, zone);
    if (at === null) return;
    if (Date.parse(at) < Date.now()) {
      showToast({ text: words.past, tone: 'problem' });
      return;
    }
    // Moved before the answer: if the row is redrawn between keydown and keyup, the key press is lost.
    move.mutate({ id, at });
  };

  const entries = entriesByDay({
    schedules: shown ?? [],
    firings: (firings.data ?? []).filter(
      ({ tiktokAccountId }) => !accountId || tiktokAccountId === accountId,
    ),
    isHeld: contentId => unapproved.data?.has(contentId) ?? false,
    dayOf: at => dayOf(at, zone),
  });
  const accountOf = (id: string) => {
    const index = accounts.data?.findIndex(account => account.id === id) ?? -1;
    const account = accounts.data?.[index];
    const colour = accountColours[index % accountColours.length];
    return account && colour && (accounts.data?.length ?? 0) > 1
      ? { name: shortName(account), colour }
      : undefined;
  };
  const scheduleOn = (contentId: string, date: string | null) => {
    const at = date && fromLocal(timeOn(date, now) ?? '', zone);
    const search = at ? { at } : {};
    void navigate({ to: '/posts/$contentId/schedule', params: { contentId }, search });
  };
  const dayInWords = (date: string) =>
    new Intl.DateTimeFormat(locale(), {
      timeZone: 'UTC',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    }).format(new Date(`${date}T00:00:00Z`));
  const titleOf = new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    ...(view === 'day'
      ? { weekday: 'short', day: 'numeric', month: 'short' }
      : { month: 'long', year: 'numeric' }),
  });
  const title = titleOf.format(new Date(`${view === 'week' ? (days[3] as string) : day}T00:00:00Z`));
  const columns = { month: 'grid-cols-7 md:min-w-[52rem]', week: 'md:grid-cols-7', day: '' }[view];

  return (
    <Screen name={texts.screens.calendar} lead={<ZoneNote />} isWide>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="flex flex-1 items-center gap-1 md:flex-none">
          <Button
            tone="quiet"
            className="!px-2.5"
            aria-label={words.previous}
            onClick={() => setDay(step(view, day, -1))}
            icon={<Icon name="back" />}
          />
          <h2 className="min-w-36 flex-1 text-center text-lg" aria-live="polite">
            {title}
          </h2>
          <Button
            tone="quiet"
            className="!px-2.5"
            aria-label={words.next}
            onClick={() => setDay(step(view, day, 1))}
            icon={<Icon name="forward" />}
          />
        </div>
        <Button onClick={() => setDay(today)}>{words.today}</Button>
        <fieldset
          aria-label={words.view}
          className="flex rounded-control border border-edge/60 max-md:w-full max-md:[&>*]:flex-1"
        >
          {views.map(name => (
            <Button
              key={name}
              tone={view === name ? 'primary' : 'quiet'}
              aria-pressed={view === name}
              onClick={() => setView(name)}
            >
              {words.views[name]}
            </Button>
          ))}
        </fieldset>
        {accounts.data && accounts.data.length > 1 && (
          <div className="min-w-44 sm:ms-auto">
            <Select
              label={words.account}
              value={accountId}
              onChange={event => setAccountId(event.target.value)}
            >
              <option value="">{words.allAccounts}</option>
              {accounts.data.map(account => (
                <option key={account.id} value={account.id}>
                  {shortName(account)}
                </option>
              ))}
            </Select>
          </div>
        )}
      </div>
      <ReadError queries={[schedules, unapproved, unscheduled, firings, accounts]} />
      {me.canEdit && !isTrayEmpty && (
        <Tray
          query={unscheduled}
          day={addingOn && dayInWords(addingOn)}
          onChoose={id => scheduleOn(id, addingOn)}
        />
      )}
      {me.canEdit && isTrayEmpty && addingOn && (
        <p role="status" className="text-soft">
          {words.trayEmpty}
        </p>
      )}
      <div aria-busy={schedules.isFetching} className="overflow-x-auto">
        {/* Days mounted one by one would be dropped on in the order of their mounting. */}
        <div
          key={days.join()}
          className={`grid gap-px overflow-hidden rounded-card border border-line bg-line ${columns}`}
        >
          {days.map(date => (
            <Day
              key={date}
              day={date}
              isToday={date === today}
              isOutside={view === 'month' && date.slice(0, 7) !== day.slice(0, 7)}
              isTall={view !== 'month'}
              takesPosts={mayPutOn(date, now)}
              accountOf={accountOf}
              entries={entries.get(date) ?? []}
              zone={zone}
              canMove={schedule => canChange(me, schedule)}
              onDropPost={id => moveToDay(id, date)}
              onDropDeck={id => scheduleOn(id, date)}
              onAdd={me.canEdit ? () => setAddingOn(date) : null}
              onOpen={setMoving}
              onShow={() => {
                setDay(date);
                setView('day');
              }}
              rowRef={keepFocus}
            />
          ))}
        </div>
      </div>
      <Legend />
      {me.canEdit && <p className="text-sm text-soft">{words.dragHint}</p>}
      {moving && (
        <MoveDialog
          schedule={moving}
          zone={zone}
          onMoved={() => {
            followRow(moving.id);
            setMoving(null);
          }}
          onClose={() => setMoving(null)}
        />
      )}
    </Screen>
  );
}

function Legend() {
  const rows: readonly [Look, string][] = [
    ['waiting', words.waiting],
    ['held', words.held],
    ['sent', words.sent],
    ['failed', words.failed],
    ['planned', words.planned],
  ];
  return (
    <ul className="flex flex-wrap gap-2 text-xs">
      {rows.map(([look, text]) => (
        <li key={look} className={`rounded border px-2 py-1 ${looks[look]}`}>
          {text}
        </li>
      ))}
    </ul>
  );
}
