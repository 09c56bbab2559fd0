import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import {
  type Decision,
  decide,
  listenToDecisions,
  sendNow,
  undo,
  undoable,
  undoMs,
  usePending,
} from '../decisions.ts';
import { type RejectDraft, readDraft } from '../drafts.ts';
import { later } from '../later.ts';
import { useMe } from '../me.ts';
import { countsQuery, decksBefore, queryClient, sessionQuery } from '../queries.ts';
import { hasChanged, mayApprove, mayReject, neighbour, onScreen } from '../rules/approve-queue.ts';
import { isSeenWhole, useSeenCount } from '../seen.ts';
import type { SlotOffer } from '../slot-offer.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { DecisionBar } from '../ui/DecisionBar.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loading } from '../ui/Progress.tsx';
import { ShareButton } from '../ui/ShareButton.tsx';
import { type SlidesControl, slideCount } from '../ui/Slides.tsx';
import { closeToasts, showProblem, showToast } from '../ui/Toast.tsx';
import { Deck } from './approve/Deck.tsx';
import { useApproveQueue } from './approve/useApproveQueue.ts';
import { useShortcuts } from './approve/useShortcuts.ts';

const RejectDialog = later(() => import('./approve/RejectDialog.tsx'), 'RejectDialog');
const Difference = later(() => import('./approve/Difference.tsx'), 'Difference');
const Decided = later(() => import('./approve/Decided.tsx'), 'Decided');
const BulkDialog = later(() => import('./approve/BulkDialog.tsx'), 'BulkDialog');
/** Only who has approved a deck needs it. */
const slotOffer = () => import('../slot-offer.ts');
const Help = later(() => import('./approve/Help.tsx'), 'Help');
const NothingWaits = later(() => import('./approve/NothingWaits.tsx'), 'NothingWaits');

const undoSlot = 'undo';

const routeApi = getRouteApi('/in/approve');

type Open = { is: 'bulk' | 'help' | 'changed' } | { is: 'reject'; id: string } | null;

export function Approve() {
  const { deck = null } = routeApi.useSearch();
  // What was typed before a sign-in belongs to the person who typed it.
  const { isPending } = useQuery(sessionQuery);
  return isPending ? <Loading /> : <Decisions key={deck} linkedId={deck} />;
}

function Decisions({ linkedId }: { linkedId: string | null }) {
  const navigate = useNavigate();
  const [draft] = useState(() => {
    const kept = readDraft<RejectDraft>('reject');
    return kept?.linkedId === linkedId ? kept : null;
  });
  const { state, dispatch, queue, away } = useApproveQueue(draft?.id ?? linkedId);
  const { place, decks } = state;
  const counts = useQuery(countsQuery).data;
  const pending = usePending();
  const { canApprove, canEdit, role } = useMe();
  const [open, setOpen] = useState<Open>(draft && { is: 'reject', id: draft.id });
  const slides = useRef<SlidesControl>(null);
  useSeenCount();
  const shown = onScreen(place);
  const index = shown?.index ?? 0;
  const isGone = place.is === 'gone';

  const toSchedule = useCallback(
    async ({ id }: Content, at?: string) => {
      if (!(await sendNow())) return;
      closeToasts();
      const search = at === undefined ? {} : { at };
      await navigate({ to: '/posts/$contentId/schedule', params: { contentId: id }, search });
    },
    [navigate],
  );
  const askWhen = useCallback(
    (content: Content, offers: readonly SlotOffer[]) => {
      const slots = offers.map(offer => ({
        label: offer.label,
        onPress: () =>
          void (offer.isDirect
            ? toSchedule(content, offer.at)
            : slotOffer().then(({ scheduleDraft }) => scheduleDraft(content, offer))),
      }));
      const actions = [...slots, { label: texts.common.schedule, onPress: () => void toSchedule(content) }];
      showToast({ text: texts.approve.askWhen, forMs: 10_000, actions });
    },
    [toSchedule],
  );
  const takeBack = () => {
    const taken = undo();
    if (taken === null) return;
    closeToasts(undoSlot);
    dispatch({ is: 'show', seen: taken.content, now: taken.content });
    if (undoable().length > 0) offerUndo(false);
    else showToast({ text: texts.approve.undone, forMs: 2_000 });
  };
  /** One bar for every decision that can still be taken back. */
  const offerUndo = (isFresh: boolean) => {
    const decisions = undoable();
    const { content, kind } = decisions.at(-1)!;
    const isOne = decisions.length === 1;
    const takesBack = { label: isOne ? texts.common.undo : texts.approve.undoLast, onPress: takeBack };
    const schedules = { label: texts.common.schedule, onPress: () => void toSchedule(content) };
    showToast({
      slot: undoSlot,
      text: isOne
        ? texts.approve.taken[kind]
        : texts.approve.takenOf(decisions.length, decisions.every(one => one.kind === kind) ? kind : 'mixed'),
      detail: content.result?.hook ?? '',
      drains: isFresh,
      forMs: undoMs,
      actions: isOne && kind === 'approve' ? [takesBack, schedules] : [takesBack],
    });
  };
  useEffect(() => {
    document.title = `${texts.screens.approve} · ${texts.product}`;
    let isHere = true;
    const approved: Content[] = [];
    const stopListening = listenToDecisions({
      onSent: async ({ kind, content }, isLast) => {
        if (kind === 'approve') approved.push(content);
        if (!isLast) return;
        closeToasts(undoSlot);
        const [deck, ...others] = approved.splice(0);
        if (deck === undefined) return;
        if (others.length > 0) {
          const text = texts.approve.takenOf(others.length + 1, 'approve');
          const onPress = () => void navigate({ to: '/to-schedule' });
          showToast({ text, forMs: 10_000, actions: [{ label: texts.common.schedule, onPress }] });
          return;
        }
        const offers = await slotOffer()
          .then(({ slotOffersQuery }) => queryClient.fetchQuery(slotOffersQuery(deck.appId)))
          .catch(() => []);
        if (isHere) askWhen(deck, offers);
      },
      onChanged: ({ content }, now) => {
        dispatch({ is: 'show', seen: content, now });
        setOpen({ is: 'changed' });
      },
      onFailed: ({ content }, error) => {
        dispatch({ is: 'show', seen: content, now: content });
        showProblem(error);
      },
    });
    // Leaving the screen sends what is still waiting.
    return () => {
      isHere = false;
      stopListening();
      closeToasts();
      void sendNow();
    };
  }, [askWhen, dispatch, navigate]);

  const take = (kind: Decision['kind'], reason?: string) => {
    setOpen(null);
    if (shown === null || !canApprove || !(kind === 'approve' ? mayApprove(place) : mayReject(place))) return;
    const content = shown.seen;
    decide({ content, kind, reason });
    dispatch({ is: 'decided', id: content.id });
    offerUndo(true);
  };
  const approve =
    canApprove && mayApprove(place)
      ? () => (hasChanged(place) ? setOpen({ is: 'changed' }) : take('approve'))
      : null;
  const reject =
    shown && canApprove && mayReject(place) ? () => setOpen({ is: 'reject', id: shown.seen.id }) : null;
  const edit =
    shown && canEdit && (!isGone || shown.now.changesRequested)
      ? () => void navigate({ to: '/posts/$contentId/edit', params: { contentId: shown.seen.id } })
      : null;
  const move = (by: 1 | -1) => dispatch({ is: 'move', by });
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    arrowright: () => slides.current?.move(1),
    arrowleft: () => slides.current?.move(-1),
    a: approve,
    r: reject,
    e: edit,
    u: () => takeBack(),
    '?': () => setOpen({ is: 'help' }),
  });

  const skipped = decksBefore(queue.data);
  const known = skipped + decks.length;
  const total =
    pending === undefined ? `${known}${queue.hasNextPage ? '+' : ''}` : String(Math.max(pending, known));
  const seenWhole = decks.filter(deck => isSeenWhole(deck, slideCount(deck)));
  const isAtEdge = (index === 0 && queue.hasPreviousPage) || (index >= decks.length - 1 && queue.hasNextPage);
  const isRejecting = open?.is === 'reject' && open.id === shown?.seen.id;
  const decided = shown && isGone && <Decided now={shown.now} onNext={() => move(1)} />;

  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 pb-40 sm:px-6 lg:px-10 lg:py-8">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 pb-3">
        <h1 className="text-xl leading-tight lg:text-2xl">{texts.screens.approve}</h1>
        {shown && !isGone && (
          <p className="text-soft tabular-nums">{texts.approve.position(skipped + index + 1, total)}</p>
        )}
        <span className="flex-1" />
        {counts !== undefined && counts !== null && counts.toSchedule > 0 && (
          <Button
            size="small"
            icon={<Icon name="schedule" className="size-5 sm:hidden" />}
            onClick={() => void navigate({ to: '/to-schedule' })}
          >
            <span className="max-sm:sr-only">{texts.approve.toSchedule(counts.toSchedule)}</span>
            <span aria-hidden className="sm:hidden">
              {counts.toSchedule}
            </span>
          </Button>
        )}
        {shown && (
          <>
            <ShareButton content={shown.now} size="small" isIconOnPhone />
            {seenWhole.length > 1 && canApprove && (
              <Button size="small" onClick={() => setOpen({ is: 'bulk' })}>
                {texts.approve.seenWhole(seenWhole.length)}
              </Button>
            )}
            <Button
              tone="quiet"
              size="small"
              className="max-lg:hidden"
              onClick={() => setOpen({ is: 'help' })}
            >
              {texts.approve.help}{' '}
              <kbd className="rounded border border-edge px-1.5 font-mono text-xs">?</kbd>
            </Button>
            <div className="flex">
              <Button
                tone="quiet"
                className="!px-2.5"
                aria-label={texts.approve.previous}
                disabled={!neighbour(state, -1)}
                onClick={() => move(-1)}
                icon={<Icon name="back" />}
              />
              <Button
                tone="quiet"
                className="!px-2.5"
                aria-label={texts.approve.next}
                disabled={!isGone && !neighbour(state, 1)}
                onClick={() => move(1)}
                icon={<Icon name="forward" />}
              />
            </div>
          </>
        )}
      </div>

      {queue.failureReason && (shown === null || isAtEdge || queue.failureCount > 1) && (
        <ErrorBox error={queue.failureReason} repeatsItself onRetry={() => void queue.refetch()} />
      )}
      {away && <ErrorBox error={away.error} onRetry={() => void away.refetch()} />}
      {away && place.is === 'choosing' && (
        <Button onClick={() => dispatch({ is: 'choose' })}>{texts.approve.next}</Button>
      )}
      {place.is === 'choosing' && !queue.failureReason && !away && <Loading />}
      {place.is === 'empty' && (
        <Suspense fallback={<Loading />}>
          <NothingWaits />
        </Suspense>
      )}
      {shown && (
        <Deck
          key={`${shown.seen.id}@${shown.seen.version}`}
          content={shown.seen}
          fresh={shown.now}
          control={slides}
          onLook={look => dispatch({ is: 'look', look })}
          notice={
            <Suspense>
              {shown.seen.result === null && decided}
              {hasChanged(place) && open === null && (
                <Difference
                  before={shown.seen}
                  after={shown.now}
                  onAccept={() => dispatch({ is: 'accept' })}
                />
              )}
            </Suspense>
          }
        >
          <DecisionBar
            isHidden={open !== null}
            isSteady={canApprove && shown.look === 'painted'}
            isWarned={shown.seen.images.length === 0}
            onReject={isGone ? undefined : reject}
            onEdit={isGone ? (edit ?? undefined) : edit}
            onApprove={isGone ? undefined : approve}
          >
            <Suspense>{decided}</Suspense>
            {!isGone && !canApprove && (
              <p>{texts.common.roleLacks(role, texts.screens.approve.toLowerCase())}</p>
            )}
          </DecisionBar>
        </Deck>
      )}

      <Suspense>
        {isRejecting && (
          <RejectDialog
            id={open.id}
            linkedId={linkedId}
            isReady={isGone || mayReject(place)}
            onReject={reason => take('reject', reason)}
            onBringBack={reason => take('request-changes', reason)}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.is === 'help' && <Help onClose={() => setOpen(null)} />}
        {open?.is === 'bulk' && (
          <BulkDialog
            kind="approve"
            decks={seenWhole}
            onDecided={id => dispatch({ is: 'decided', id })}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.is === 'changed' && shown && (
          <Difference
            before={shown.seen}
            after={shown.now}
            isDialog
            onAccept={() => {
              dispatch({ is: 'accept' });
              setOpen(null);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
