import { keepPreviousData, queryOptions, useMutationState, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button as DragButton, GridList, GridListItem, useDragAndDrop, useDrop } from 'react-aria-components';
import { api } from '../api.ts';
import { canChange, useMe } from '../me.ts';
import {
  accountsQuery,
  hooksQuery,
  nextFiringsQuery,
  queryClient,
  schedulesBetween,
  workspaceQuery,
} from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { addDays, daysOf, step, type View } from '../rules/month.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, NextFiring, Page, Schedule } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ReadError, Shown } from '../ui/Shown.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { clock, dayAndTime, dayOf, fromLocal, toLocal } from '../zone.ts';

const words = workTexts.calendar;
const dragType = 'application/x-hookline-schedule';
const moveScope = 'calendar';

type Look = 'waiting' | 'held' | 'sending' | 'due' | 'sent' | 'failed' | 'planned';

/** What happens on a day, in the order of the clock. */
type Entry = { id: string; at: string; look: Look; schedule: Schedule | null; title: string };

type Move = { id: string; at: string };

const looks: Readonly<Record<Look, string>> = {
  waiting: 'bg-sheet border-edge/60 border-s-4 border-s-go',
  held: 'bg-warn-wash border-dashed border-warn-ink text-warn-ink font-semibold',
  sending: 'bg-warn-wash border-transparent border-s-4 border-s-warn-ink text-warn-ink',
  due: 'bg-warn-wash border-warn-ink text-warn-ink font-semibold',
  sent: 'bg-go-wash border-transparent text-go-ink',
  failed: 'bg-float text-on-float border-float font-semibold',
  planned: 'border-dashed border-edge text-soft',
};

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
  const today = dayOf(new Date().toISOString(), zone);
  // A month of seven columns cannot be read on a phone.
  const [view, setView] = useState<View>(() => (matchMedia('(width < 48rem)').matches ? 'week' : 'month'));
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
  const hooks = useQuery(hooksQuery);
  const unapproved = useQuery(unapprovedQuery);

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
    // Moved before the answer: if the row is redrawn between keydown and keyup, the key press is lost.
    move.mutate({ id, at });
  };

  const entries = entriesByDay({
    schedules: shown ?? [],
    firings: (firings.data ?? []).filter(
      ({ tiktokAccountId }) => !accountId || tiktokAccountId === accountId,
    ),
    zone,
    isHeld: contentId => unapproved.data?.has(contentId) ?? false,
    titleOf: contentId => hooks.data?.get(contentId) ?? words.untitled,
  });
  const title = new Intl.DateTimeFormat(undefined, {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${view === 'week' ? (days[3] as string) : day}T00:00:00Z`));

  return (
    <Screen name={texts.screens.calendar} lead={<ZoneNote />} isWide>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="flex items-center gap-1">
          <Button
            tone="quiet"
            className="!px-2.5"
            aria-label={words.previous}
            onClick={() => setDay(step(view, day, -1))}
            icon={<Icon name="back" />}
          />
          <h2 className="min-w-36 text-center text-lg" aria-live="polite">
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
        <Button size="small" onClick={() => setDay(today)}>
          {words.today}
        </Button>
        <fieldset aria-label={words.view} className="flex rounded-control border border-edge/60 p-0.5">
          {(['month', 'week'] as const).map(name => (
            <Button
              key={name}
              size="small"
              tone={view === name ? 'primary' : 'quiet'}
              aria-pressed={view === name}
              onClick={() => setView(name)}
            >
              {words.views[name]}
            </Button>
          ))}
        </fieldset>
        <div className="min-w-44 sm:ms-auto">
          <Select
            label={words.account}
            value={accountId}
            onChange={event => setAccountId(event.target.value)}
          >
            <option value="">{words.allAccounts}</option>
            {accounts.data?.map(account => (
              <option key={account.id} value={account.id}>
                {shortName(account)}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <ReadError queries={[schedules, unapproved, firings, hooks, accounts]} />
      <Legend />
      <div aria-busy={schedules.isFetching} className="overflow-x-auto">
        {/* Days mounted one by one would be dropped on in the order of their mounting. */}
        <div
          key={days.join()}
          className={`grid gap-px overflow-hidden rounded-card border border-line bg-line ${view === 'month' ? 'min-w-[52rem] grid-cols-7' : 'md:grid-cols-7'}`}
        >
          {days.map(date => (
            <Day
              key={date}
              day={date}
              isToday={date === today}
              isOutside={view === 'month' && date.slice(0, 7) !== day.slice(0, 7)}
              isTall={view === 'week'}
              entries={entries.get(date) ?? []}
              zone={zone}
              canMove={schedule => canChange(me, schedule)}
              onDrop={id => moveToDay(id, date)}
              onOpen={setMoving}
              rowRef={keepFocus}
            />
          ))}
        </div>
      </div>
      {me.canEdit && <p className="text-sm text-soft">{words.dragHint}</p>}
      {moving && (
        <MoveDialog
          schedule={moving}
          title={hooks.data?.get(moving.contentId) ?? words.untitled}
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

/** Moves posts one after the other: two answers cannot overtake each other. */
function useMove(zone: string, on: { onDone?: () => void; onFailed: (error: Error) => void }) {
  return useAction(({ id, at }: Move) => api.patch(`/schedules/${id}`, { scheduledFor: at }), {
    scope: moveScope,
    changes: ['schedules'],
    onDone: (_, { id, at }) => {
      // Until it has been read again.
      queryClient.setQueriesData<Schedule[]>({ queryKey: ['schedules', 'between'] }, found =>
        found?.map(schedule => (schedule.id === id ? { ...schedule, scheduledFor: at } : schedule)),
      );
      showToast({ text: words.moved(dayAndTime(at, zone)) });
      on.onDone?.();
    },
    onFailed: error => {
      void queryClient.invalidateQueries({ queryKey: ['schedules'] });
      on.onFailed(error);
    },
  });
}

function entriesByDay(given: {
  schedules: readonly Schedule[];
  firings: readonly NextFiring[];
  zone: string;
  isHeld: (contentId: string) => boolean;
  titleOf: (contentId: string) => string;
}): Map<string, Entry[]> {
  const all: Entry[] = [
    ...given.schedules.map(schedule => ({
      id: schedule.id,
      at: schedule.scheduledFor,
      look: lookOf(schedule, given.isHeld(schedule.contentId)),
      schedule,
      title: given.titleOf(schedule.contentId),
    })),
    ...given.firings.map(({ automationId, fireAt }) => ({
      id: `${automationId} ${fireAt}`,
      at: fireAt,
      look: 'planned' as const,
      schedule: null,
      title: words.planned,
    })),
  ];
  all.sort((a, b) => a.at.localeCompare(b.at));
  return Map.groupBy(all, ({ at }) => dayOf(at, given.zone));
}

function lookOf({ status }: Schedule, isHeld: boolean): Look {
  if (status !== 'pending') return status;
  return isHeld ? 'held' : 'waiting';
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

type DayProps = {
  day: string;
  isToday: boolean;
  isOutside: boolean;
  isTall: boolean;
  entries: readonly Entry[];
  zone: string;
  canMove: (schedule: Schedule) => boolean;
  onDrop: (scheduleId: string) => void;
  onOpen: (schedule: Schedule) => void;
  rowRef: (row: HTMLElement | null) => void;
};

function Day({ day, isToday, isOutside, isTall, entries, zone, canMove, onDrop, onOpen, rowRef }: DayProps) {
  const date = new Date(`${day}T00:00:00Z`);
  const long = new Intl.DateTimeFormat(undefined, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  const short = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', weekday: 'short' });
  // Only what waits can be moved.
  const canBeMoved = ({ look, schedule }: Entry) =>
    (look === 'waiting' || look === 'held') && schedule !== null && canMove(schedule);
  const waiting = entries.filter(canBeMoved);
  const fixed = entries.filter(entry => !canBeMoved(entry));
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ [dragType]: String(key) })),
  });
  const cell = useRef<HTMLDivElement>(null);
  // The day that a post comes from takes it too: by keyboard the targets begin there and go on by date.
  // Without it they begin at the day that is nearest on the screen, for a Sunday one a week away.
  const { dropProps, isDropTarget } = useDrop({
    ref: cell,
    getDropOperation: types => (types.has(dragType) ? 'move' : 'cancel'),
    onDrop: async ({ items }) => {
      for (const item of items) if (item.kind === 'text') onDrop(await item.getText(dragType));
    },
  });
  return (
    <div
      {...dropProps}
      ref={cell}
      role="group"
      tabIndex={-1}
      aria-label={words.dayLabel(long.format(date), waiting.length)}
      className={`flex flex-col p-1.5 ${isDropTarget ? 'bg-go-wash outline-2 -outline-offset-2 outline-go' : isOutside ? 'bg-ground' : 'bg-sheet'} ${isTall ? 'md:min-h-96' : 'min-h-28'}`}
    >
      <p className="flex items-baseline gap-1.5 px-1 pb-1 text-sm">
        <span className="text-soft">{short.format(date)}</span>
        <span
          aria-current={isToday ? 'date' : undefined}
          className={`font-semibold tabular-nums ${isToday ? 'rounded-full bg-deep px-1.5 text-on-deep dark:bg-go dark:text-on-go' : ''}`}
        >
          {Number(day.slice(8))}
        </span>
      </p>
      {fixed.length > 0 && (
        <ul className="grid gap-1 pb-1">
          {fixed.map(entry => (
            <li
              key={entry.id}
              className={`relative rounded border px-1.5 py-1 text-xs leading-snug ${looks[entry.look]}`}
            >
              <span className="font-semibold tabular-nums">{clock(entry.at, zone)}</span>{' '}
              {entry.schedule ? (
                <Link
                  to="/posts/$contentId"
                  params={{ contentId: entry.schedule.contentId }}
                  className={`after:absolute after:inset-0 ${isTall ? '' : 'line-clamp-2'}`}
                >
                  {entry.title}
                </Link>
              ) : (
                entry.title
              )}
              {(entry.look === 'failed' || entry.look === 'held') && (
                <span className="block font-semibold">{words[entry.look]}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <GridList
          aria-label={words.waiting}
          items={waiting}
          dragAndDropHooks={dragAndDropHooks}
          onAction={key => {
            const schedule = waiting.find(entry => entry.id === key)?.schedule;
            if (schedule) onOpen(schedule);
          }}
          className="grid gap-1"
        >
          {entry => (
            <GridListItem
              id={entry.id}
              ref={rowRef}
              textValue={`${clock(entry.at, zone)} ${entry.title}${entry.look === 'held' ? `, ${words.held}` : ''}`}
              className={`cursor-pointer rounded border px-1.5 py-1 text-xs leading-snug data-[dragging]:opacity-40 ${looks[entry.look]}`}
            >
              <DragButton
                slot="drag"
                aria-label={words.move}
                className="float-end grid size-6 place-items-center"
              >
                <Icon name="grip" className="size-4" />
              </DragButton>
              <span className="font-semibold tabular-nums">{clock(entry.at, zone)}</span>{' '}
              <span className={isTall ? '' : 'line-clamp-2'}>{entry.title}</span>
              {entry.look === 'held' && <span className="block">{words.held}</span>}
            </GridListItem>
          )}
        </GridList>
      )}
    </div>
  );
}

type MoveProps = {
  schedule: Schedule;
  title: string;
  zone: string;
  onMoved: () => void;
  onClose: () => void;
};

/** The way to another time without dragging. */
function MoveDialog({ schedule, title, zone, onMoved, onClose }: MoveProps) {
  const [local, setLocal] = useState(toLocal(schedule.scheduledFor, zone));
  const at = fromLocal(local, zone);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const move = useMove(zone, {
    onDone: () => isOpen.current && onMoved(),
    // An open dialog shows its own.
    onFailed: error => !isOpen.current && showProblem(error),
  });
  return (
    <Dialog
      title={words.moveTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            tone="primary"
            disabled={at === null}
            busy={move.isPending}
            onClick={() => at !== null && move.mutate({ id: schedule.id, at })}
          >
            {texts.common.save}
          </Button>
        </>
      }
    >
      <p className="font-semibold">{title}</p>
      <Field
        label={words.time}
        type="datetime-local"
        hint={texts.common.timesIn(zone)}
        value={local}
        onChange={event => setLocal(event.target.value)}
      />
      <Link
        to="/posts/$contentId"
        params={{ contentId: schedule.contentId }}
        className="font-semibold underline underline-offset-4"
      >
        {words.open}
      </Link>
      {move.error && <ErrorBox error={move.error} />}
    </Dialog>
  );
}
