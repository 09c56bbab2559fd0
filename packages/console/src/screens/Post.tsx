import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api } from '../api.ts';
import { later } from '../later.ts';
import { canChange, useMe } from '../me.ts';
import { accountsQuery, contentQuery, one, queryClient, timelineQuery, workspaceQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { adviceFor, isOut, type Stage, stageOf } from '../rules/next-step.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, Page, Schedule, ScheduleWithTimeline, TimelineEntry } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { DeckCaption, SlideTexts } from '../ui/DeckTexts.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { deckName } from '../ui/deckName.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { SharedText } from '../ui/SharedText.tsx';
import { ReadError, Shown } from '../ui/Shown.tsx';
import { Slides } from '../ui/Slides.tsx';
import { StageBadge } from '../ui/StageBadge.tsx';
import { TimeInZone, useZone, ZoneNote } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { useTikTokFrame } from '../ui/useTikTokFrame.tsx';
import { dayAndTime, timesIn } from '../zone.ts';
import { MoveDialog } from './calendar/MoveDialog.tsx';
import { Results } from './numbers/Results.tsx';
import { Actions } from './post/Actions.tsx';
import { deciderName, Said } from './post/Said.tsx';

const Comments = later(() => import('./talk/Comments.tsx'), 'Comments');

const routeApi = getRouteApi('/in/posts/$contentId');
const words = workTexts.post;
const link = 'inline-flex min-h-11 items-center gap-2 font-semibold underline underline-offset-4';

/** The schedules of one deck, each with its timeline. */
const schedulesOfQuery = (contentId: string) =>
  queryOptions({
    queryKey: ['schedules', 'of', contentId],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Page<Schedule>>('/schedules', { contentId, limit: 20 }, signal);
      return Promise.all(
        data.map(({ id }) => one<ScheduleWithTimeline>(`/schedules/${id}`, undefined, signal)),
      );
    },
  });

/** One deck from its making to its post: why it is where it is, and what comes next. */
export function Post() {
  const { contentId } = routeApi.useParams();
  const content = useQuery(contentQuery(contentId));
  const schedules = useQuery(schedulesOfQuery(contentId));
  const timeline = useQuery(timelineQuery(contentId));
  const stage = content.data && schedules.data && stageOf(content.data, schedules.data);
  const hasFailed = stage?.is === 'failed' || stage?.is === 'sendFailed';
  const [isElsewhere, setElsewhere] = useState(false);
  return (
    <Screen
      name={words.title}
      isWide
      above={
        <Link
          to="/posts"
          className="inline-flex items-center underline underline-offset-2 pointer-coarse:min-h-11"
        >
          {texts.screens.posts}
        </Link>
      }
      actions={stage && <StageBadge stage={stage.is} />}
    >
      <Shown query={content}>
        {deck => (
          <div className="grid gap-x-6 gap-y-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
            <div className={`lg:sticky lg:top-8 lg:self-start ${hasFailed ? 'max-lg:order-last' : ''}`}>
              {deck.result && <FramedSlides deck={deck} />}
            </div>
            <div className="grid content-start gap-5">
              {/* Without its schedules a posted deck would look as if it were still to be scheduled. */}
              <Shown query={schedules}>
                {found => (
                  <>
                    <NextStep
                      content={deck}
                      stage={stageOf(deck, found)}
                      onElsewhere={() => setElsewhere(true)}
                    />
                    <Results
                      content={deck}
                      isPosted={isElsewhere || found.some(({ status }) => status === 'sent')}
                    />
                    {found.map(schedule => (
                      <Going key={schedule.id} schedule={schedule} />
                    ))}
                    {deck.result && (
                      <Card title={workTexts.edit.caption}>
                        <DeckCaption content={deck} />
                        <SlideTexts content={deck} />
                      </Card>
                    )}
                  </>
                )}
              </Shown>
              <Suspense>
                <Comments content={deck} />
              </Suspense>
              <Card title={words.timeline}>
                <ReadError queries={[timeline]} />
                <Timeline entries={timeline.data ?? [{ at: deck.createdAt, what: 'made', detail: null }]} />
                <ZoneNote />
              </Card>
            </div>
          </div>
        )}
      </Shown>
    </Screen>
  );
}

function FramedSlides({ deck }: { deck: Content }) {
  const frame = useTikTokFrame(deck);
  return (
    <section aria-label={deck.result?.hook} className="grid">
      <Slides
        content={deck}
        frame={frame}
        onExpired={() => void queryClient.invalidateQueries({ queryKey: contentQuery(deck.id).queryKey })}
        className="w-full max-w-44 justify-self-center lg:max-w-[min(20rem,calc((100dvh-12rem)*9/16))]"
      />
    </section>
  );
}

type NextStepProps = {
  content: Content;
  stage: Stage;
  /** It was posted, and not by Hookline. */
  onElsewhere: () => void;
};

function NextStep({ content, stage, onElsewhere }: NextStepProps) {
  const zone = useZone();
  return (
    <Card className="!border-deep/30 dark:!border-edge">
      <h2 dir="auto" className="font-sans text-xl leading-tight">
        {deckName(content)}
      </h2>
      <p>
        <span className="font-semibold">{words.next}: </span>
        {sentenceFor(stage, content, zone)}
      </p>
      {content.writer?.because && (
        <p className="text-sm text-soft">
          {texts.approve.because}: {content.writer.because}
        </p>
      )}
      {content.error && <p className="rounded-control bg-float-wash p-3">{content.error.message}</p>}
      {!isOut(stage) && <SharedText freshness={content.freshness} />}
      <Said content={content} />
      <Actions content={content} stage={stage} onElsewhere={onElsewhere} />
    </Card>
  );
}

function sentenceFor(stage: Stage, { error }: Content, zone: string): string {
  const { steps } = words;
  const code = error?.code;
  if (code === 'not_found' || code === 'insufficient_credits') return steps[code];
  if (stage.is === 'sendFailed') return steps[adviceFor(stage.schedule)];
  if (stage.is === 'scheduled') {
    const { waitsBecause, scheduledFor } = stage.schedule;
    if (waitsBecause === 'kept_back') return steps.keptBack;
    return waitsBecause === 'sending_paused'
      ? steps.stopped
      : steps.scheduled(dayAndTime(scheduledFor, zone));
  }
  return steps[stage.is];
}

/** One schedule: to whom, when, and how it ended. */
function Going({ schedule }: { schedule: ScheduleWithTimeline }) {
  const account = useQuery(accountsQuery).data?.find(({ id }) => id === schedule.tiktokAccountId);
  const me = useMe();
  const [asking, setAsking] = useState<'move' | 'withdraw' | null>(null);
  const changes = ['schedules', 'content'];
  const retry = useAction<void>((_, key) => api.post(`/schedules/${schedule.id}/retry`, undefined, { key }), {
    changes,
    onDone: () => showToast({ text: words.retried }),
  });
  const withdraw = useAction(() => api.delete(`/schedules/${schedule.id}`), {
    changes,
    onDone: () => {
      setAsking(null);
      showToast({ text: words.withdrawn });
    },
  });
  const zone = useZone();
  const workspace = useQuery(workspaceQuery);
  const { failure, status } = schedule;
  const advised = failure && adviceFor(schedule);
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{account ? shortName(account) : words.schedules}</h2>
        <TimeInZone at={schedule.sentAt ?? schedule.scheduledFor} />
      </div>
      {failure && (
        <div className="grid gap-1 rounded-control bg-float-wash p-3">
          <p>{timesIn(failure.message, zone)}</p>
        </div>
      )}
      {status === 'sent' && !schedule.platformPostUrl && (
        <p className="text-soft">{words.noLink[whyNoLink(schedule)]}</p>
      )}
      {retry.error && <ErrorBox error={retry.error} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {schedule.platformPostUrl && (
          <a href={schedule.platformPostUrl} target="_blank" rel="noreferrer" className={link}>
            <Icon name="link" />
            {words.open}
          </a>
        )}
        {status === 'failed' && failure?.retryable && (
          <Button
            tone={advised === 'retry' ? 'primary' : 'plain'}
            disabled={!canChange(me, schedule)}
            busy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {texts.common.retry}
          </Button>
        )}
        {status === 'due' && (
          <Link to="/due/$scheduleId" params={{ scheduleId: schedule.id }} className={link}>
            {workTexts.due.title}
          </Link>
        )}
        {status === 'pending' && canChange(me, schedule) && (
          <Button onClick={() => setAsking('move')}>{workTexts.calendar.move}</Button>
        )}
        {(status === 'pending' || status === 'due') && (
          <Button disabled={!me.canEdit} onClick={() => setAsking('withdraw')}>
            {words.withdraw}
          </Button>
        )}
        {advised === 'reconnect' && (
          <Link to="/accounts" className={link}>
            {words.reconnect}
          </Link>
        )}
        {(advised === 'look' || schedule.outcome === 'published') && account?.username && (
          <a
            href={`https://www.tiktok.com/@${account.username}`}
            target="_blank"
            rel="noreferrer"
            className={link}
          >
            {words.profile}
          </a>
        )}
      </div>
      <details>
        <summary className="font-semibold">{words.attempts}</summary>
        <div className="grid gap-2 pt-2">
          <Timeline entries={schedule.timeline} />
          {failure && (
            <p className="text-sm text-soft">
              {failure.platformMessage && `${words.platformSays}: ${failure.platformMessage} · `}
              <code className="font-mono text-xs">{failure.code}</code>
            </p>
          )}
        </div>
      </details>
      {asking === 'move' && (
        <Shown query={workspace}>
          {({ timezone }) => (
            <MoveDialog
              schedule={schedule}
              zone={timezone}
              onMoved={() => setAsking(null)}
              onClose={() => setAsking(null)}
            />
          )}
        </Shown>
      )}
      {asking === 'withdraw' && (
        <ConfirmDialog
          title={words.withdrawTitle}
          confirm={words.withdraw}
          action={withdraw}
          onConfirm={() => withdraw.mutate()}
          onClose={() => setAsking(null)}
        >
          {words.withdrawBody}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function whyNoLink({ outcome, mode, privacyLevel }: Schedule): keyof typeof words.noLink {
  if (outcome === 'sent_to_drafts') return 'draft';
  if (mode === 'phone') return 'phone';
  return privacyLevel === 'PUBLIC_TO_EVERYONE' ? 'public' : 'private';
}

function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const zone = useZone();
  const sorted = [...entries].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <ol className="grid gap-0">
      {sorted.map(({ at, what, detail, by }, index) => (
        <li
          key={`${at} ${what} ${index}`}
          className="relative grid gap-0.5 border-s-2 border-line ps-5 pb-4 last:pb-0"
        >
          <span
            aria-hidden="true"
            className="absolute -start-[7px] top-1.5 size-3 rounded-full border-2 border-sheet bg-go"
          />
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>
              <span className="font-semibold">{words.events[what] ?? what.replaceAll('_', ' ')}</span>
              {by ? ` ${words.by(deciderName(by))}` : ''}
            </span>
            <span className="text-sm text-soft">
              <TimeInZone at={at} />
            </span>
          </p>
          {detail && (
            <p className="text-sm text-soft">
              {timesIn(detail, zone).replace(/[a-z_]+$/, word => words.ways[word] ?? word)}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
