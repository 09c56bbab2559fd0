import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, isApiError, type Query } from '../api.ts';
import { keepChoices, lastChoices } from '../choices.ts';
import { useMe } from '../me.ts';
import { accountsQuery, contentQuery, one, queryClient, workspaceQuery } from '../queries.ts';
import { fullName } from '../rules/account-name.ts';
import { likelyAccount } from '../rules/choices.ts';
import { dayMs, hourMs } from '../rules/durations.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type {
  Account,
  Content,
  CreateSchedule,
  One,
  Schedule as Planned,
  PostProblem,
  PrivacyLevel,
} from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Checkbox, Field, Group, Radio, Select } from '../ui/Field.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { Slides } from '../ui/Slides.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { dayAndTime, fromLocal, toLocal } from '../zone.ts';

const routeApi = getRouteApi('/in/posts/$contentId/schedule');
const words = workTexts.schedule;
/** How far in the past a time may be; the server refuses an earlier one. */
const lateMaxMs = 60_000;
const checkAfterMs = 500;

/** What would keep a deck from being posted to an account, each with its slide. */
const preflightQuery = (id: string, given: Query) =>
  queryOptions({
    queryKey: ['content', 'preflight', id, given],
    queryFn: ({ signal }) =>
      one<{ postable: boolean; problems: PostProblem[] }>(`/content/${id}/preflight`, given, signal),
  });

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
    <Screen name={words.title} lead={content.data?.result?.hook} isWide>
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

type Draft = {
  accountId: string;
  mode: 'draft' | 'publish' | null;
  /** In the zone of the workspace; empty: now. */
  local: string;
  privacy: PrivacyLevel | '';
  hasComments: boolean;
  isDisclosed: boolean;
  isOwnBrand: boolean;
  isBranded: boolean;
  isAi: boolean;
  /** Null: as it was for the account last. */
  hasMusic: boolean | null;
};

type FormProps = {
  content: Content;
  accounts: readonly Account[];
  /** The workspace has it; in another zone, what is chosen would be another time. */
  zone: string;
};

function Form({ content, accounts, zone }: FormProps) {
  const navigate = useNavigate();
  const { canPublish } = useMe();
  const usable = accounts.filter(({ appId }) => appId === null || appId === content.appId);
  const { at: given } = routeApi.useSearch();
  const [last] = useState(lastChoices);
  const [draft, setDraft] = useState<Draft>(() => ({
    accountId: likelyAccount(accounts, content.appId, last)?.id ?? '',
    mode: null,
    local: given === undefined ? tomorrowAtNine(zone) : toLocal(given, zone),
    privacy: '',
    hasComments: false,
    isDisclosed: false,
    isOwnBrand: false,
    isBranded: false,
    isAi: true,
    hasMusic: null,
  }));
  const set = (change: Partial<Draft>) => setDraft(before => ({ ...before, ...change }));
  const account = accounts.find(({ id }) => id === draft.accountId);
  const mayPublish = canPublish && account?.canPublish === true;
  const before = last.of[draft.accountId];
  const mode = draft.mode ?? (mayPublish ? (before?.mode ?? 'publish') : 'draft');
  const hasMusic = draft.hasMusic ?? before?.hasMusic ?? true;
  const isPhone = account?.kind === 'phone';
  const isDirect = !isPhone && mode === 'publish';
  const at = draft.local === '' ? null : fromLocal(draft.local, zone);
  const sinceMs = at === null ? 0 : Date.now() - Date.parse(at);
  const timeError =
    draft.local !== '' && at === null ? words.noTime : sinceMs > lateMaxMs ? words.past : null;

  const body: CreateSchedule = {
    contentId: content.id,
    tiktokAccountId: draft.accountId,
    mode: isPhone ? 'phone' : mode,
    ...(at === null ? {} : { scheduledFor: at }),
    ...(isDirect && draft.privacy !== '' ? { privacyLevel: draft.privacy } : {}),
    disableComment: !draft.hasComments,
    brandOrganic: isDirect && draft.isDisclosed && draft.isOwnBrand,
    brandedContent: isDirect && draft.isDisclosed && draft.isBranded,
    aiGenerated: draft.isAi,
    autoAddMusic: hasMusic,
  };
  const brandError =
    isDirect && draft.isDisclosed && !draft.isOwnBrand && !draft.isBranded ? words.discloseOne : null;
  const isComplete =
    draft.accountId !== '' &&
    (!isDirect || draft.privacy !== '') &&
    brandError === null &&
    timeError === null;

  const preflight = useQuery({
    ...preflightQuery(content.id, {
      tiktokAccountId: draft.accountId,
      ...(isComplete ? { mode: body.mode, privacyLevel: body.privacyLevel } : {}),
    }),
    enabled: draft.accountId !== '',
  });
  const problems = preflight.data?.problems ?? [];
  const check = useDryRun(isComplete ? body : null);

  // No dry run first: after a lost answer it would be refused for the schedule that the first request made,
  // and the next press, with another key, would post once more. The POST makes the same checks.
  const schedule = useAction(
    (given: CreateSchedule, key) => api.post<One<Planned>>('/schedules', given, { key }),
    {
      changes: ['schedules', 'content'],
      onDone: () => {
        keepChoices(draft.accountId, { mode, hasMusic });
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
    <form
      className="grid gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-10"
      onSubmit={event => {
        event.preventDefault();
        if (isComplete) schedule.mutate(body);
      }}
    >
      <section aria-label={content.result?.hook} className="grid content-start gap-3">
        <Slides
          content={content}
          onExpired={() =>
            void queryClient.invalidateQueries({ queryKey: contentQuery(content.id).queryKey })
          }
          className="w-full max-w-52 lg:max-w-72"
        />
        <p className="text-sm whitespace-pre-wrap text-soft">{content.result?.caption}</p>
      </section>
      <div className="grid max-w-2xl content-start gap-5">
        {content.approvalStatus !== 'approved' && (
          <ErrorBox title={words.approveFirst} error={words.approveFirst} />
        )}
        <Card>
          <Field
            label={words.time}
            type="datetime-local"
            hint={words.timeHint(zone)}
            error={timeError}
            value={draft.local}
            onChange={event => set({ local: event.target.value })}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => set({ local: '' })}>
              {words.now}
            </Button>
            <Button
              size="small"
              onClick={() => set({ local: toLocal(new Date(Date.now() + hourMs).toISOString(), zone) })}
            >
              {words.inAnHour}
            </Button>
            <Button size="small" onClick={() => set({ local: tomorrowAtNine(zone) })}>
              {words.tomorrow}
            </Button>
          </div>
          <Select
            label={words.account}
            required
            value={draft.accountId}
            onChange={event =>
              set({ accountId: event.target.value, mode: null, privacy: '', hasMusic: null })
            }
          >
            <option value="">{words.choose}</option>
            {usable.map(one => (
              <option key={one.id} value={one.id}>
                {fullName(one)}
              </option>
            ))}
          </Select>
          {account && <Creator account={account} />}
        </Card>

        <Card>
          {isPhone && <p>{words.phoneHint}</p>}
          {!isPhone && (
            <Group legend={words.how}>
              <Radio
                name="mode"
                label={words.publish}
                hint={account && !account.canPublish ? words.cannotPublish : words.publishHint}
                disabled={!mayPublish}
                checked={isDirect}
                onChange={() => set({ mode: 'publish' })}
              />
              <Radio
                name="mode"
                label={words.draft}
                hint={words.draftHint}
                checked={!isDirect}
                onChange={() => set({ mode: 'draft' })}
              />
            </Group>
          )}
          {isDirect && (
            <>
              <Select
                label={words.privacy}
                required
                value={draft.privacy}
                onChange={event => set({ privacy: event.target.value as PrivacyLevel | '' })}
              >
                <option value="">{words.privacyChoose}</option>
                {account?.privacyLevels.map(level => (
                  <option key={level} value={level} disabled={level === 'SELF_ONLY' && body.brandedContent}>
                    {words.levels[level]}
                  </option>
                ))}
              </Select>
              <Checkbox
                label={words.comments}
                checked={draft.hasComments}
                onChange={event => set({ hasComments: event.target.checked })}
              />
              <Checkbox
                label={words.disclose}
                hint={words.discloseHint}
                checked={draft.isDisclosed}
                onChange={event => set({ isDisclosed: event.target.checked })}
              />
              {draft.isDisclosed && (
                <div className="grid gap-3 ps-9">
                  <Checkbox
                    label={words.yourBrand}
                    hint={words.yourBrandHint}
                    checked={draft.isOwnBrand}
                    onChange={event => set({ isOwnBrand: event.target.checked })}
                  />
                  <Checkbox
                    label={words.branded}
                    hint={draft.privacy === 'SELF_ONLY' ? words.brandedNotPrivate : words.brandedHint}
                    disabled={draft.privacy === 'SELF_ONLY'}
                    checked={draft.isBranded}
                    onChange={event => set({ isBranded: event.target.checked })}
                  />
                  {brandError && <p className="text-sm font-medium text-float-ink">{brandError}</p>}
                </div>
              )}
            </>
          )}
          <details>
            <summary className="cursor-pointer font-semibold">{words.more}</summary>
            <div className="grid gap-3 pt-3">
              <Checkbox
                label={words.ai}
                checked={draft.isAi}
                onChange={event => set({ isAi: event.target.checked })}
              />
              <Checkbox
                label={words.music}
                checked={hasMusic}
                onChange={event => set({ hasMusic: event.target.checked })}
              />
            </div>
          </details>
        </Card>

        <ReadError queries={[preflight]} />
        {problems.length > 0 && <Problems problems={problems} />}
        {problems.length === 0 && check.error !== null && (
          <ErrorBox title={words.problems} error={check.error} />
        )}

        <div className="grid gap-3">
          <p role="status" className="font-medium">
            {check.isChecking && words.checking}
            {!check.isChecking &&
              check.isReady &&
              (at === null || sinceMs > 0 ? words.readyNow : readyAt(at, zone))}
          </p>
          {isDirect && (
            <p className="text-sm text-soft">
              <Consent isBranded={body.brandedContent === true} /> {words.minutes}
            </p>
          )}
          {schedule.error && <ErrorBox error={schedule.error} />}
          <Button
            type="submit"
            tone="primary"
            size="large"
            className="sm:justify-self-start sm:px-10"
            disabled={!isComplete || content.approvalStatus !== 'approved'}
            busy={schedule.isPending}
          >
            {words.submit}
          </Button>
        </div>
      </div>
    </form>
  );
}

function readyAt(at: string, zone: string): string {
  const utc = `${at.slice(11, 16)} UTC`;
  return `${words.readyAt} ${dayAndTime(at, zone)} ${zone}${zone === 'UTC' ? '' : ` (${utc})`}`;
}

function tomorrowAtNine(zone: string): string {
  return `${toLocal(new Date(Date.now() + dayMs).toISOString(), zone).slice(0, 10)}T09:00`;
}

/**
 * Whom TikTok shows as the creator; required by its audit. Initials, because its
 * pictures come from another host.
 */
function Creator({ account }: { account: Account }) {
  return (
    <div className="flex items-center gap-3 rounded-control bg-well p-3">
      <span
        aria-hidden="true"
        className="grid size-11 shrink-0 place-items-center rounded-full bg-deep font-display text-lg font-bold text-on-deep"
      >
        {account.displayName.slice(0, 1).toUpperCase()}
      </span>
      <div>
        <p className="text-sm text-soft">{words.postingAs}</p>
        <p className="font-semibold">
          {account.displayName}{' '}
          {account.username && <span className="font-normal text-soft">@{account.username}</span>}
        </p>
        {account.status !== 'connected' && (
          <p className="text-sm font-medium text-float-ink">{words.reconnect}</p>
        )}
      </div>
    </div>
  );
}

function Problems({ problems }: { problems: readonly PostProblem[] }) {
  return (
    <div role="alert" className="grid gap-2 rounded-control border border-float/50 bg-float-wash p-4">
      <p className="font-semibold text-float-ink">{words.problems}</p>
      <ul className="grid gap-2">
        {problems.map(({ code, slide, message }) => (
          <li key={`${code} ${slide}`} className="flex gap-3">
            <span className="shrink-0 font-semibold">
              {slide === null ? words.problemDeck : words.problemSlide(slide)}
            </span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const music = 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en';
const branded = 'https://www.tiktok.com/legal/page/global/bc-policy/en';

function Consent({ isBranded }: { isBranded: boolean }) {
  const link = 'underline underline-offset-2';
  return (
    <>
      {words.consentPrefix}
      {isBranded && (
        <>
          <a className={link} href={branded} target="_blank" rel="noreferrer">
            {words.consentBranded}
          </a>
          {words.consentAnd}
        </>
      )}
      <a className={link} href={music} target="_blank" rel="noreferrer">
        {words.consentMusic}
      </a>
      .
    </>
  );
}

function dryRun(given: CreateSchedule, signal?: AbortSignal): Promise<unknown> {
  return api.post('/schedules', given, { query: { dryRun: true }, signal });
}

/** Every check of the request that would be sent, a moment after the last change. */
function useDryRun(body: CreateSchedule | null): { isChecking: boolean; isReady: boolean; error: unknown } {
  const [state, setState] = useState({ isChecking: false, isReady: false, error: null as unknown });
  const text = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    setState({ isChecking: text !== null, isReady: false, error: null });
    if (text === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      dryRun(JSON.parse(text), abort.signal).then(
        () => setState({ isChecking: false, isReady: true, error: null }),
        error => abort.signal.aborted || setState({ isChecking: false, isReady: false, error }),
      );
    }, checkAfterMs);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text]);
  return state;
}
