import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, isApiError } from '../api.ts';
import { keepChoices, lastChoices } from '../choices.ts';
import { useMe } from '../me.ts';
import { accountsQuery, contentQuery, queryClient, workspaceQuery } from '../queries.ts';
import { fullName } from '../rules/account-name.ts';
import { likelyAccount, takesApp } from '../rules/choices.ts';
import { hourMs } from '../rules/durations.ts';
import { blankSchedule, forAccount, type ScheduleDraft, settleSchedule } from '../rules/schedule-draft.ts';
import { freeSlotsQuery } from '../slot-offer.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Account, Content, CreateSchedule, One, Schedule as Planned } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Select } from '../ui/Field.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { Slides } from '../ui/Slides.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { dayAndTime, fromLocal, toLocal, tomorrow } from '../zone.ts';
import { Consent } from './schedule/Consent.tsx';
import { Creator } from './schedule/Creator.tsx';
import { Problems, preflightQuery, useDryRun, waitingQuery } from './schedule/checks.tsx';
import { HowCard } from './schedule/HowCard.tsx';

const routeApi = getRouteApi('/in/posts/$contentId/schedule');
const words = workTexts.schedule;

export function Schedule() {
  const { contentId } = routeApi.useParams();
  const navigate = useNavigate();
  const content = useQuery(contentQuery(contentId));
  const accounts = useQuery(accountsQuery);
  const workspace = useQuery(workspaceQuery);
  const { canEdit, role } = useMe();
  if (!canEdit) {
    return (
      <Screen name={words.title}>
        <p className="text-soft">{texts.common.roleLacks(role, words.scheduleDecks)}</p>
      </Screen>
    );
  }
  const reads = [content, accounts, workspace];
  const zone = workspace.data?.timezone;
  return (
    <Screen name={words.title} lead={<span dir="auto">{content.data?.result?.hook}</span>} isWide>
      <ReadError queries={reads} />
      {reads.some(({ isPending }) => isPending) && !reads.some(({ isError }) => isError) && <Loading />}
      {content.data && accounts.data?.length === 0 && (
        <EmptyState
          icon="accounts"
          title={words.noAccount}
          actions={
            <Button tone="primary" onClick={() => void navigate({ to: '/accounts' })}>
              {words.connect}
            </Button>
          }
        />
      )}
      {content.data && accounts.data && accounts.data.length > 0 && zone && (
        <Form content={content.data} accounts={accounts.data} zone={zone} />
      )}
    </Screen>
  );
}

type FormProps = {
  content: Content;
  accounts: readonly Account[];
  /** The workspace has it; in another zone, what is chosen would be another time. */
  zone: string;
};

function Form({ content, accounts, zone }: FormProps) {
  const navigate = useNavigate();
  const { canPublish } = useMe();
  const usable = accounts.filter(account => takesApp(account, content.appId));
  const { at: given, accountId } = routeApi.useSearch();
  const [last] = useState(lastChoices);
  const [draft, setDraft] = useState(() =>
    blankSchedule(
      (usable.find(({ id }) => id === accountId) ?? likelyAccount(accounts, content.appId, last))?.id ?? '',
      given === undefined ? null : toLocal(given, zone),
    ),
  );
  const [inAnHour, setInAnHour] = useState<string>();
  const set = (change: Partial<ScheduleDraft>) => setDraft(before => ({ ...before, ...change }));
  const account = accounts.find(({ id }) => id === draft.accountId);
  const slot = useQuery({
    ...freeSlotsQuery(draft.accountId),
    enabled: (account?.slots.length ?? 0) > 0,
  }).data?.[0];
  const local = draft.local ?? (slot ? toLocal(slot, zone) : tomorrow(zone, '09:00'));
  const nowMs = Date.now();
  const settled = settleSchedule(
    { ...draft, local },
    {
      contentId: content.id,
      account,
      canPublish,
      before: last.of[draft.accountId],
      toUtc: local => fromLocal(local, zone, inAnHour, given, slot),
      nowMs,
    },
  );
  const { body, at, isDirect, isComplete, timeProblem, choices } = settled;
  const lacksChoice = draft.accountId === '' || (isDirect && draft.privacy === '');

  const preflight = useQuery({
    ...preflightQuery(content.id, {
      tiktokAccountId: draft.accountId,
      ...(isComplete ? { mode: body.mode, privacyLevel: body.privacyLevel } : {}),
    }),
    enabled: draft.accountId !== '',
  });
  const problems = preflight.data?.problems ?? [];
  const check = useDryRun(isComplete ? body : null);
  const waiting = useQuery(waitingQuery(content.id)).data;

  // No dry run first: after a lost answer it would be refused for the schedule that the first request made,
  // and the next press, with another key, would post once more. The POST makes the same checks.
  const schedule = useAction(
    (given: CreateSchedule, key) => api.post<One<Planned>>('/schedules', given, { key }),
    {
      changes: ['schedules', 'content'],
      onDone: () => {
        keepChoices(content.appId, draft.accountId, choices);
        showToast({ text: at === null ? words.doneNow : words.done });
        void navigate({ to: '/posts/$contentId', params: { contentId: content.id } });
      },
      onFailed: error => {
        // TikTok refused it. The page of the post has the failure and the way on.
        if (!isApiError(error) || error.status !== 502) return;
        void queryClient.invalidateQueries({ queryKey: ['schedules'] });
        showProblem(error);
        void navigate({ to: '/posts/$contentId', params: { contentId: content.id } });
      },
    },
  );

  return (
    <ScriptForm
      className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-10"
      onSubmit={() => {
        if (isComplete) schedule.mutate(body);
      }}
    >
      <section
        aria-label={content.result?.hook}
        className="flex items-start gap-4 lg:grid lg:content-start lg:gap-3"
      >
        <Slides
          content={content}
          onExpired={() =>
            void queryClient.invalidateQueries({ queryKey: contentQuery(content.id).queryKey })
          }
          className="!mx-0 w-24 shrink-0 lg:w-full lg:max-w-72"
        />
        {content.result && content.result.caption !== content.result.hook && (
          <div className="text-sm">
            <p className="font-semibold">{workTexts.edit.caption}</p>
            <p dir="auto" className="line-clamp-[8] whitespace-pre-wrap text-soft lg:line-clamp-none">
              {content.result.caption}
            </p>
          </div>
        )}
      </section>
      <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] content-start gap-5">
        {content.approvalStatus !== 'approved' && (
          <ErrorBox title={words.approveFirst} error={words.approveFirst} />
        )}
        {waiting && (
          <p className="rounded-control bg-warn-wash p-4 text-warn-ink">
            {words.waits(dayAndTime(waiting.scheduledFor, zone))}{' '}
            <ToDeck id={content.id} className="font-semibold underline">
              {words.change}
            </ToDeck>
          </p>
        )}
        <Card>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <LocalTime
              label={words.day}
              hint={words.timeHint(zone)}
              error={timeProblem && words[timeProblem]}
              value={local}
              onChange={local => set({ local })}
            />
            <Select
              label={words.account}
              required
              value={draft.accountId}
              onValue={value => set(forAccount(value))}
              none={words.choose}
              options={usable.map(one => [one.id, fullName(one)])}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            {slot && (
              <Button size="small" onClick={() => set({ local: toLocal(slot, zone) })}>
                {words.nextSlot(dayAndTime(slot, zone))}
              </Button>
            )}
            <Button size="small" onClick={() => set({ local: '' })}>
              {words.now}
            </Button>
            <Button
              size="small"
              onClick={() => {
                const at = new Date(Date.now() + hourMs).toISOString();
                setInAnHour(at);
                set({ local: toLocal(at, zone) });
              }}
            >
              {words.inAnHour}
            </Button>
            <Button size="small" onClick={() => set({ local: tomorrow(zone, '09:00') })}>
              {words.tomorrow}
            </Button>
          </div>
          {account && <Creator account={account} />}
        </Card>

        <HowCard {...{ draft, settled, account, set }} />

        <ReadError queries={[preflight]} />
        {problems.length > 0 && <Problems problems={problems} />}
        {problems.length === 0 && check.error !== null && (
          <ErrorBox title={words.problems} error={check.error} onPassed={check.again} />
        )}

        {schedule.error && <ErrorBox error={schedule.error} />}
        <div className="bottom-(--bar) z-10 -mx-4 -mb-5 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-ground px-4 py-3 sm:mx-0 sm:px-0 [@media(min-height:40rem)]:sticky">
          <div className="grid flex-1 basis-72 gap-1 text-sm">
            <p role="status" className="font-medium">
              {draft.accountId === '' && words.choose}
              {draft.accountId !== '' && lacksChoice && words.privacyChoose}
              {check.isChecking && words.checking}
              {check.isReady && (at === null || Date.parse(at) < nowMs ? words.readyNow : readyAt(at, zone))}
            </p>
            {isDirect && (
              <p className="text-xs text-soft">
                <Consent isBranded={body.brandedContent === true} />
              </p>
            )}
          </div>
          <Button
            type="submit"
            tone="primary"
            size="large"
            className="w-full sm:w-auto sm:px-10"
            // Without an account or a privacy the browser leads to the field.
            disabled={(!isComplete && !lacksChoice) || content.approvalStatus !== 'approved'}
            busy={schedule.isPending}
          >
            {draft.local !== '' ? words.submit : isDirect ? words.postNow : words.sendNow}
          </Button>
        </div>
      </div>
    </ScriptForm>
  );
}

function readyAt(at: string, zone: string): string {
  const utc = `${at.slice(11, 16)} UTC`;
  return `${words.readyAt} ${dayAndTime(at, zone)} ${zone}${zone === 'UTC' ? '' : ` (${utc})`}`;
}
