import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutationState,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { canChange, useMe } from '../me.ts';
import {
  accountsQuery,
  allMax,
  nextFiringsMax,
  nextFiringsQuery,
  rowsOf,
  schedulesBetween,
  toScheduleQuery,
  workspaceQuery,
} from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { entriesByDay, type Look, mayPutOn, type Slot, timeOn } from '../rules/calendar.ts';
import { addDays, daysOf, step, type View, views, weekStart } from '../rules/month.ts';
import { planMax } from '../rules/plan.ts';
import { freeSlotsQuery } from '../slot-offer.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, Page, Schedule } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ReadError, Shown } from '../ui/Shown.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { dayAndTime, dayOf, fromLocal, locale, toLocal } from '../zone.ts';
import { Day, weekdayFormat } from './calendar/Day.tsx';
import { accountColours, looks } from './calendar/looks.ts';
import { MoveDialog } from './calendar/MoveDialog.tsx';
import { Tray } from './calendar/Tray.tsx';
import { type Move, moveScope, useMove } from './calendar/useMove.ts';

const words = workTexts.calendar;
const asDate = (day: string) => new Date(`${day}T00:00:00Z`);
/** Finds which of the decks nobody has approved; their schedules are held. */
const unapprovedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['content', 'unapproved', ...ids],
    queryFn: async ({ signal }) => {
      const found: string[] = [];
      for (let at = 0; at < ids.length; at += 100) {
        const query = { ids: ids.slice(at, at + 100).join(), limit: 100 };
        const { data } = await api.get<Page<Content>>('/content', query, signal);
        found.push(...data.filter(deck => deck.approvalStatus !== 'approved').map(({ id }) => id));
      }
      return found;
    },
    placeholderData: keepPreviousData,
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
  /** A day, or a slot. */
  const [target, setTarget] = useState<string | Slot | null>(null);
  const [day, setDay] = useState(today);
  const [accountId, setAccountId] = useState('');
  const [moving, setMoving] = useState<Schedule | null>(null);
  const me = useMe();
  const accounts = useQuery(accountsQuery);
  const days = daysOf(view, day);
  const [first, last] = [days[0] as string, days.at(-1) as string];
  const from = fromLocal(`${first}T00:00`, zone) as string;
  const to = fromLocal(`${addDays(last, 1)}T00:00`, zone) as string;
  const schedules = useQuery({
    ...schedulesBetween(from, to, accountId || undefined),
    placeholderData: keepPreviousData,
  });
  const firings = useQuery(nextFiringsQuery);
  const lastKnown = firings.data?.[nextFiringsMax - 1];
  const free = useQueries({
    queries: (accounts.data ?? [])
      .filter(
        ({ id, status, slots }) =>
          status === 'connected' && slots.length > 0 && (!accountId || id === accountId),
      )
      .map(({ id }) => ({
        ...freeSlotsQuery(id),
        enabled: me.canEdit,
        select: (slots: string[]) => slots.map(at => ({ accountId: id, at })),
      })),
  });
  const [lastFree] = free.flatMap(({ data }) => data?.[planMax - 1]?.at ?? []).sort();
  const waiting = schedules.data?.filter(({ status }) => status === 'pending') ?? [];
  const unapproved = useQuery(
    unapprovedQuery([...new Set(waiting.map(({ contentId }) => contentId))].sort()),
  );
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
  const moveTo = (id: string, to: string, slot: Slot | null) => {
    followRow(id);
    const schedule = shown?.find(found => found.id === id);
    const own = slot?.accountId === schedule?.tiktokAccountId ? slot : null;
    if (schedule === undefined || (!own && dayOf(schedule.scheduledFor, zone) === to)) return;
    // On a day the clock stays the same, also over a change of summer time.
    const at = own?.at ?? fromLocal(`${to}T${toLocal(schedule.scheduledFor, zone).slice(11)}`, zone);
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
    slots: free.flatMap(({ data }) => data ?? []),
    isHeld: contentId => unapproved.data?.includes(contentId) ?? false,
    dayOf: at => dayOf(at, zone),
  });
  // Weeks that are over begin the present month only where something was posted.
  const isPresent = view === 'month' && first <= today && today <= last;
  const begin = days.findIndex(date => !isPresent || date >= weekStart(today) || entries.has(date));
  const shownDays = days.slice(begin - (begin % 7));
  const accountOf = (id: string) => {
    const all = accounts.data?.toReversed() ?? [];
    const index = all.findIndex(account => account.id === id);
    const [account, colour] = [all[index], accountColours[index % accountColours.length]];
    return account && colour && all.length > 1 ? { name: shortName(account), colour } : undefined;
  };
  const scheduleOn = (contentId: string, on: string | Slot | null) => {
    const at = typeof on === 'string' && fromLocal(timeOn(on, now) ?? '', zone);
    const search = at ? { at } : on !== null && typeof on !== 'string' ? on : {};
    void navigate({ to: '/posts/$contentId/schedule', params: { contentId }, search });
  };
  const inWords = (on: string | Slot) => {
    if (typeof on !== 'string')
      return `${dayAndTime(on.at, zone)} ${accountOf(on.accountId)?.name ?? ''}`.trim();
    return new Intl.DateTimeFormat(locale(), {
      timeZone: 'UTC',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    }).format(asDate(on));
  };
  const titleOf = new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    ...(view === 'month' ? { month: 'long' } : { day: 'numeric', month: 'short' }),
    ...(view === 'day' && { weekday: 'short' }),
    ...((view === 'month' || day.slice(0, 4) !== today.slice(0, 4)) && { year: 'numeric' }),
  });
  const title =
    view === 'week' ? titleOf.formatRange(asDate(first), asDate(last)) : titleOf.format(asDate(day));
  const columns = { month: 'grid-cols-7 md:min-w-[52rem]', week: 'md:grid-cols-7', day: '' }[view];

  return (
    <Screen
      name={texts.screens.calendar}
      lead={<ZoneNote />}
      actions={
        accounts.data &&
        accounts.data.length > 1 && (
          <Select
            label={words.account}
            isLabelHidden
            className="max-w-40"
            value={accountId}
            onValue={setAccountId}
            none={words.allAccounts}
            options={accounts.data.map(account => [account.id, shortName(account)])}
          />
        )
      }
      isWide
    >
      {/* What is dragged, and where to, stay together on a long day. */}
      <div className="top-0 z-10 grid gap-3 bg-ground md:gap-4 md:py-2 md:[@media(min-height:40rem)]:sticky">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
          <div className="flex flex-1 items-center gap-1 md:flex-none">
            <Button
              tone="quiet"
              className="!px-2.5"
              aria-label={words.previous}
              onClick={() => setDay(step(view, day, -1))}
              icon={<Icon name="back" />}
            />
            <h2
              className="min-w-32 flex-1 text-center text-lg max-[18rem]:min-w-0 md:min-w-36"
              aria-live="polite"
            >
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
            className="flex rounded-control border border-edge/60 max-md:w-full max-md:flex-wrap max-md:[&>*]:flex-1 max-[18rem]:[&>*]:basis-full"
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
        </div>
        {me.canEdit && !isTrayEmpty && (
          <Tray
            query={unscheduled}
            when={target && inWords(target)}
            onChoose={id => scheduleOn(id, target)}
          />
        )}
        {me.canEdit && isTrayEmpty && target && (
          <p role="status" className="text-soft">
            {words.trayEmpty}
          </p>
        )}
      </div>
      <ReadError queries={[schedules, unapproved, unscheduled, firings, accounts, ...free]} />
      {shown && shown.length >= allMax && <Note>{words.tooMany}</Note>}
      {lastKnown && lastKnown.fireAt < to && (
        <Note>{words.plannedUntil(dayAndTime(lastKnown.fireAt, zone))}</Note>
      )}
      {lastFree && lastFree < to && <Note>{words.freeUntil(dayAndTime(lastFree, zone))}</Note>}
      <div aria-busy={schedules.isFetching} className="relative overflow-x-auto">
        {(schedules.isPending || schedules.isPlaceholderData) && (
          <div className="late absolute inset-x-0 top-12">
            <Loading />
          </div>
        )}
        {/* Days mounted one by one would be dropped on in the order of their mounting. */}
        <div
          key={shownDays.join()}
          className={`grid gap-px overflow-hidden rounded-card border border-line bg-line ${columns}`}
        >
          {view === 'month' &&
            days.slice(0, 7).map(date => (
              <span
                key={`name of ${date}`}
                aria-hidden="true"
                className="bg-ground py-1 text-center text-sm text-soft"
              >
                {weekdayFormat.format(asDate(date))}
              </span>
            ))}
          {shownDays.map(date => (
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
              onDropPost={(id, slot) => moveTo(id, date, slot)}
              onDropDeck={(id, slot) => scheduleOn(id, slot ?? date)}
              onAdd={me.canEdit ? () => setTarget(date) : null}
              onSlot={setTarget}
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
      {me.canEdit && (
        <p className="text-sm text-soft">
          {words.moveHint}
          <span className="max-md:hidden">{words.orDrag}</span>.
        </p>
      )}
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

function Note({ children }: { children: string }) {
  return (
    <p role="status" className="rounded-control bg-warn-wash p-3 text-sm text-warn-ink">
      {children}
    </p>
  );
}

function Legend() {
  const rows: readonly [Look, string][] = [
    ['waiting', words.waiting],
    ['held', words.held],
    ['sent', words.sent],
    ['failed', words.failed],
    ['planned', words.planned],
    ['free', words.free],
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
