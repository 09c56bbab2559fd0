import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../api.ts';
import { type Decision, decide, listenToDecisions, sendNow, undoLast, useHidden } from '../decisions.ts';
import { readFlag, writeFlag } from '../flags.ts';
import { waitBeforeMs } from '../live.ts';
import { useMe } from '../me.ts';
import {
  appsQuery,
  contentQuery,
  countsQuery,
  decksBefore,
  queryClient,
  queueQuery,
  timelineQuery,
} from '../queries.ts';
import { slideTexts } from '../rules/deck.ts';
import { isSeenWhole, markSeen, useSeenCount } from '../seen.ts';
import { texts } from '../texts/shell.ts';
import type { Content, ContentMoment } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Slides, type SlidesControl, slideCount } from '../ui/Slides.tsx';
import { closeToast, showProblem, showToast, ToastButton } from '../ui/Toast.tsx';

const loadRejectDialog = () => import('./approve/RejectDialog.tsx');
const RejectDialog = lazy(loadRejectDialog);
const loadDifference = () => import('./approve/Difference.tsx');
const Difference = lazy(loadDifference);
const loadBulkDialog = () => import('./approve/BulkDialog.tsx');
const BulkDialog = lazy(loadBulkDialog);
const loadHelp = () => import('./approve/Help.tsx');
const Help = lazy(loadHelp);
const loadNothingWaits = () => import('./approve/NothingWaits.tsx');
const NothingWaits = lazy(loadNothingWaits);

const loadLater = [loadRejectDialog, loadDifference, loadBulkDialog, loadHelp, loadNothingWaits];
/** After the first deck is drawn; what opens while the connection is away must be there before. */
const loadLaterMs = 2_000;

const routeApi = getRouteApi('/in/approve');
/** A page is read when this many decks are left on its side of the deck on screen. */
const readAheadDecks = 5;
/** A deck's timeline is read only after it was on screen this long: a session has 120 requests a minute. */
const settledMs = 300;

type Open =
  | { is: 'bulk' | 'help' }
  | { is: 'reject'; content: Content }
  | { is: 'changed'; seen: Content; now: Content }
  | null;

export function Approve() {
  const { deck: wantedId } = routeApi.useSearch();
  const navigate = useNavigate();
  const queue = useInfiniteQuery(queueQuery);
  const wanted = useQuery({ ...contentQuery(wantedId ?? ''), enabled: wantedId !== undefined }).data;
  const counts = useQuery(countsQuery).data;
  const hidden = useHidden();
  const { canApprove, canEdit, role } = useMe();
  const [currentId, setCurrentId] = useState<string | undefined>(wantedId);
  /** The deck as it was when it came on screen. A newer version is shown as a difference first. */
  const [shown, setShown] = useState<Content | null>(null);
  const [open, setOpen] = useState<Open>(null);
  const slides = useRef<SlidesControl>(null);
  useSeenCount();

  // A page that is read for itself may begin with what the one before it ended with.
  const rows = [
    ...new Map(queue.data?.pages.flatMap(({ data }) => data.map(deck => [deck.id, deck]))).values(),
  ];
  // The deck that a link names, or that left the queue while it was on screen.
  const isAway =
    currentId !== undefined && !hidden.has(currentId) && !rows.some(({ id }) => id === currentId);
  const away = useQuery({ ...contentQuery(currentId ?? ''), enabled: isAway });
  const listed = withWanted(rows, wanted);
  const decks = (isAway ? withWanted(listed, away.data) : listed).filter(({ id }) => !hidden.has(id));
  const found = decks.findIndex(({ id }) => id === currentId);
  const lastIndex = useRef(0);
  if (found >= 0 && !isAway) lastIndex.current = found;
  // What somebody looks at stays on screen.
  const isKept = isAway && found < 0 && shown?.id === currentId;
  const isChoosing = isAway && found < 0 && !isKept && !away.isSuccess;
  const index = isKept ? Math.max(0, Math.min(lastIndex.current, decks.length - 1)) : Math.max(found, 0);
  const isGone = isKept && away.isSuccess;
  let current = decks[index] ?? null;
  if (isKept) current = away.data ?? shown;
  else if (isChoosing) current = null;

  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of loadLater) void load().catch(() => {});
    }, loadLaterMs);
    return () => clearTimeout(timer);
  }, []);

  // Another deck comes on screen.
  if (current !== null && shown?.id !== current.id) setShown(current);
  useEffect(() => {
    if (current !== null && current.id !== currentId) setCurrentId(current.id);
  }, [current, currentId]);
  useEffect(() => {
    if (queue.isFetching || queue.isError) return;
    if (decks.length - index <= readAheadDecks && queue.hasNextPage) void queue.fetchNextPage();
    else if (index < readAheadDecks && queue.hasPreviousPage) void queue.fetchPreviousPage();
  }, [decks.length, index, queue]);
  const { error: queueError, refetch: readQueue } = queue;
  const failuresBefore = useRef(0);
  if (queue.isSuccess) failuresBefore.current = queue.errorUpdateCount;
  const failures = queue.errorUpdateCount - failuresBefore.current;
  useEffect(() => {
    if (queueError === null) return;
    const { status, retryAfterMs } = queueError as ApiError;
    if (status > 0 && status < 500 && status !== 429) return;
    // A hidden page reads when it is looked at again.
    const read = () => document.hidden || void readQueue();
    const timer = setTimeout(read, retryAfterMs ?? waitBeforeMs(failures - 1));
    return () => clearTimeout(timer);
  }, [queueError, failures, readQueue]);
  useEffect(() => {
    document.title = `${texts.screens.approve} · ${texts.product}`;
    // Leaving the screen sends what is still waiting.
    return () => {
      closeToast();
      void sendNow();
    };
  }, []);

  const toSchedule = useCallback(
    async ({ id }: Content) => {
      if (!(await sendNow())) return;
      closeToast();
      await navigate({ to: '/posts/$contentId/schedule', params: { contentId: id } });
    },
    [navigate],
  );
  const undo = useCallback(() => {
    const taken = undoLast();
    if (taken === null) return;
    setCurrentId(taken.content.id);
    showToast({ text: texts.approve.undone, forMs: 2_000 });
  }, []);

  useEffect(() => {
    let closeParked = () => {};
    const onParked = () => {
      closeParked = showToast({
        text: texts.approve.parked,
        tone: 'problem',
        forMs: null,
        actions: <ToastButton onClick={() => void sendNow()}>{texts.common.tryAgain}</ToastButton>,
      });
    };
    const onFailed = ({ content }: Decision, error: Error) => {
      setCurrentId(content.id);
      showProblem(error);
    };
    listenToDecisions({
      onSent: ({ kind, content }) => {
        closeParked();
        if (kind === 'reject') return;
        showToast({
          text: texts.approve.askWhen,
          forMs: 10_000,
          actions: (
            <ToastButton onClick={() => void toSchedule(content)}>{texts.common.schedule}</ToastButton>
          ),
        });
      },
      onChanged: ({ content }, now) => {
        setShown(content);
        setCurrentId(now.id);
        setOpen({ is: 'changed', seen: content, now });
      },
      onFailed,
      onParked,
    });
    // Elsewhere nothing asks for a time, and a refusal is said as one.
    const onChanged = ({ content }: Decision) =>
      showProblem(texts.approve.notDecided(content.result?.hook ?? ''));
    return () => listenToDecisions({ onSent: () => closeParked(), onChanged, onFailed, onParked });
  }, [toSchedule]);

  const take = (content: Content, kind: Decision['kind'], reason?: string) => {
    if (!canApprove) return;
    const next = isKept ? decks[index] : (decks[index + 1] ?? decks[index - 1]);
    decide({ content, kind, reason });
    setOpen(null);
    setCurrentId(next?.id);
    showToast({
      text: kind === 'approve' ? texts.approve.approved : texts.approve.rejected,
      drains: true,
      forMs: 5_000,
      actions: (
        <>
          <ToastButton onClick={undo}>{texts.common.undo}</ToastButton>
          {kind === 'approve' && (
            <ToastButton onClick={() => void toSchedule(content)}>{texts.common.schedule}</ToastButton>
          )}
        </>
      ),
    });
  };
  const hasChanged = shown !== null && current !== null && current.version !== shown.version;
  const canDecide = canApprove && current !== null && !isGone;
  const approve = () => {
    if (!canDecide || shown === null || current === null) return;
    if (hasChanged) setOpen({ is: 'changed', seen: shown, now: current });
    else take(shown, 'approve');
  };
  const reject = () => {
    if (canDecide && shown !== null) setOpen({ is: 'reject', content: shown });
  };
  const move = (by: 1 | -1) => {
    // The one after a deck that is gone has its place.
    const next = decks[isKept && by === 1 ? index : index + by];
    if (next || isGone) setCurrentId(next?.id);
  };
  const edit = () => {
    if (current && !isGone)
      void navigate({ to: '/posts/$contentId/edit', params: { contentId: current.id } });
  };

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    arrowright: () => slides.current?.move(1),
    arrowleft: () => slides.current?.move(-1),
    a: approve,
    r: reject,
    e: () => canEdit && edit(),
    u: undo,
    '?': () => setOpen({ is: 'help' }),
  });

  const skipped = decksBefore(queue.data);
  const known = skipped + decks.length;
  const total = counts ? String(Math.max(counts.pending, known)) : `${known}${queue.hasNextPage ? '+' : ''}`;
  const seenWhole = decks.filter(deck => isSeenWhole(deck, slideCount(deck)));
  const isReading = queue.isPending || queue.hasPreviousPage || isChoosing;
  const isEmpty = current === null && !isReading && !queue.isError;
  const isAtEdge = (index === 0 && queue.hasPreviousPage) || (index >= decks.length - 1 && queue.hasNextPage);

  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 pb-40 sm:px-6 lg:px-10 lg:py-8">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 pb-3">
        <h1 className="text-xl leading-tight lg:text-2xl">{texts.screens.approve}</h1>
        {current && (
          <>
            <p className="text-soft tabular-nums">{texts.approve.position(skipped + index + 1, total)}</p>
            <span className="flex-1" />
            {seenWhole.length > 1 && canApprove && (
              <Button size="small" onClick={() => setOpen({ is: 'bulk' })}>
                {texts.approve.seenWhole(seenWhole.length)}
              </Button>
            )}
            <div className="flex">
              <Button
                tone="quiet"
                className="!px-2.5"
                aria-label={texts.approve.previous}
                disabled={index === 0}
                onClick={() => move(-1)}
                icon={<Icon name="back" />}
              />
              <Button
                tone="quiet"
                className="!px-2.5"
                aria-label={texts.approve.next}
                disabled={!isGone && index >= decks.length - 1}
                onClick={() => move(1)}
                icon={<Icon name="forward" />}
              />
            </div>
          </>
        )}
      </div>

      {queue.isError && (current === null || isAtEdge || failures > 1) && (
        <ErrorBox error={queueError} onRetry={() => void readQueue()} />
      )}
      {isAway && away.isError && <ErrorBox error={away.error} onRetry={() => void away.refetch()} />}
      {isChoosing && away.isError && (
        <Button onClick={() => setCurrentId(undefined)}>{texts.approve.next}</Button>
      )}
      {isReading && !queue.isError && !away.isError && current === null && <Loading />}
      {isEmpty && (
        <Suspense fallback={<Loading />}>
          <NothingWaits />
        </Suspense>
      )}
      {shown && current && (
        <Deck
          key={`${shown.id}@${shown.version}`}
          content={shown}
          fresh={current}
          control={slides}
          changed={
            isGone ? (
              <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card bg-warn-wash p-4">
                <p className="flex-1 text-warn-ink">{texts.approve.gone}</p>
                <Button onClick={() => move(1)}>{texts.approve.next}</Button>
              </div>
            ) : (
              hasChanged &&
              open === null && (
                <Suspense>
                  <Difference before={shown} after={current} onAccept={() => setShown(current)} />
                </Suspense>
              )
            )
          }
        >
          <fieldset
            disabled={isGone || (!canApprove && !canEdit)}
            aria-label={texts.approve.decision}
            className={`fixed inset-x-0 bottom-0 z-10 border-t border-line bg-ground/95 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] backdrop-blur lg:static lg:border-0 lg:bg-transparent lg:p-0 ${open ? 'invisible' : ''}`}
          >
            <div className="mx-auto flex max-w-lg gap-2.5 max-[23rem]:gap-1.5 max-[23rem]:[&_svg]:hidden lg:mx-0">
              <Button
                size="large"
                className="flex-1 !text-float-ink"
                disabled={!canApprove}
                onClick={reject}
                icon={<Icon name="cross" />}
              >
                {texts.common.reject}
              </Button>
              <Button
                size="large"
                className="flex-1"
                disabled={!canEdit}
                onClick={edit}
                icon={<Icon name="edit" />}
              >
                {texts.common.edit}
              </Button>
              <Button
                size="large"
                tone="go"
                className="flex-[1.4]"
                disabled={!canApprove}
                onClick={approve}
                icon={<Icon name="approve" />}
              >
                {texts.common.approve}
              </Button>
            </div>
            {!canApprove && (
              <p className="pt-2 text-center text-sm text-soft">
                {texts.common.roleLacks(role, texts.screens.approve.toLowerCase())}
              </p>
            )}
          </fieldset>
          <Button
            tone="quiet"
            size="small"
            className="hidden justify-self-start lg:inline-flex"
            onClick={() => setOpen({ is: 'help' })}
          >
            {texts.approve.help} <kbd className="rounded border border-edge px-1.5 font-mono text-xs">?</kbd>
          </Button>
        </Deck>
      )}

      <Suspense>
        {open?.is === 'reject' && (
          <RejectDialog
            onReject={reason => take(open.content, 'reject', reason)}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.is === 'help' && <Help onClose={() => setOpen(null)} />}
        {open?.is === 'bulk' && (
          <BulkDialog
            decks={seenWhole}
            onApproved={id => setCurrentId(at => (at === id ? undefined : at))}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.is === 'changed' && (
          <Difference
            before={open.seen}
            after={open.now}
            isDialog
            onAccept={() => {
              setShown(open.now);
              setOpen(null);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The deck that a link names comes first, also when it is not among the newest. */
function withWanted(rows: Content[], wanted: Content | undefined): Content[] {
  const isPending = wanted?.approvalStatus === 'pending' && wanted.status === 'ready';
  if (!isPending || rows.some(({ id }) => id === wanted.id)) return rows;
  return [wanted, ...rows];
}

type DeckProps = {
  content: Content;
  /** The same deck as read last: its links are the newest. */
  fresh: Content;
  control: React.RefObject<SlidesControl | null>;
  changed: React.ReactNode;
  children: React.ReactNode;
};

function Deck({ content, fresh, control, changed, children }: DeckProps) {
  const [hasSafeZone, setSafeZone] = useState(() => readFlag('safe-zone'));
  const app = useQuery(appsQuery).data?.find(({ id }) => id === content.appId);
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, []);
  const moments = useQuery({ ...timelineQuery(content.id), enabled: isSettled }).data;
  const maker = nameOf(moments?.find(({ what }) => what === 'made'));
  const editor = nameOf(moments?.findLast(({ what }) => what === 'edited'));
  const { result, writer, origin } = content;
  if (result === null) return null;

  // Signed links live for 48 h, a tab may live longer.
  const renewLinks = () => void queryClient.invalidateQueries({ queryKey: ['content'] });
  const images = fresh.version === content.version ? fresh.images : content.images;
  const written = writer?.kind === 'model' ? texts.approve.byModel(writer.name) : texts.approve.byBuiltin;

  return (
    <section
      aria-label={result.hook}
      className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-start lg:gap-10"
    >
      {changed && <div className="lg:col-span-2">{changed}</div>}
      <Slides
        content={{ ...content, images }}
        hasSafeZone={hasSafeZone}
        control={control}
        onSeen={slide => markSeen(content, slide)}
        onExpired={renewLinks}
        className="h-[min(calc(100dvh-17.5rem),calc((100vw-2rem)*16/9))] lg:h-[min(calc(100dvh-9rem),52rem)]"
      />
      <div className="grid gap-5 lg:max-w-xl lg:pt-2">
        <div className="grid gap-1.5">
          <h2 className="font-sans text-xl leading-tight lg:text-2xl">{result.hook}</h2>
          <p className="text-sm text-soft">
            {[app?.name, texts.approve.version(content.version)].filter(Boolean).join(' · ')}
          </p>
        </div>
        {content.images.length === 0 && (
          <p className="rounded-control bg-warn-wash p-3 text-sm text-warn-ink">{texts.approve.noPictures}</p>
        )}
        <div className="grid gap-2">
          <p className="whitespace-pre-wrap">{result.caption || texts.approve.none}</p>
          <p className="font-medium text-go-ink">{result.hashtags.join(' ')}</p>
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-soft">{texts.approve.by}</dt>
          <dd>
            {written}
            {writer?.repaired ? `, ${texts.approve.repaired}` : ''}
          </dd>
          <dt className="text-soft">{texts.approve.askedBy}</dt>
          <dd>{maker ?? (origin ? texts.approve.byAutomation : texts.approve.byRequest)}</dd>
          {editor && (
            <>
              <dt className="text-soft">{texts.approve.editedBy}</dt>
              <dd>{editor}</dd>
            </>
          )}
        </dl>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="small"
            aria-pressed={hasSafeZone}
            className={hasSafeZone ? '!border-primary !bg-primary !text-on-primary' : ''}
            onClick={() => {
              writeFlag('safe-zone', !hasSafeZone);
              setSafeZone(!hasSafeZone);
            }}
            icon={<Icon name="zone" />}
          >
            {texts.approve.safeZone}
          </Button>
        </div>
        <details className="rounded-control border border-line bg-sheet px-4 py-2.5 text-sm">
          <summary className="font-semibold">{texts.approve.allTexts}</summary>
          <ol className="grid list-decimal gap-1.5 py-2 ps-5">
            {slideTexts(content).map((text, index) => (
              <li key={`${index + 1}`}>{text}</li>
            ))}
          </ol>
        </details>
        {children}
      </div>
    </section>
  );
}

function nameOf(moment: ContentMoment | undefined): string | null {
  if (!moment?.by) return null;
  return `${texts.approve.kinds[moment.by.kind]} ${moment.by.name}`;
}

/** Single keys, unless they are switched off (WCAG 2.1.4) or something is typed or open. */
function useShortcuts(actions: Readonly<Record<string, () => unknown>>) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A key that is held down decides once.
      if (event.repeat && 'areu'.includes(event.key.toLowerCase())) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (readFlag('no-shortcuts') && !event.key.startsWith('Arrow')) return;
      const target = event.target as HTMLElement;
      if (target.closest('input, textarea, select, [contenteditable], dialog')) return;
      const action = latest.current[event.key.toLowerCase()];
      if (action === undefined || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
