import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ownOrigin } from '../api.ts';
import { useMe } from '../me.ts';
import { accountsQuery, contentQuery, queryClient, read, workspaceQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { hourMs } from '../rules/durations.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, Schedule } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field } from '../ui/Field.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Shown } from '../ui/Shown.tsx';
import { Slides } from '../ui/Slides.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { fromLocal, tomorrow } from '../zone.ts';

const routeApi = getRouteApi('/in/due/$scheduleId');
const words = workTexts.due;

const scheduleQuery = (id: string) =>
  read<Schedule>(['schedules', 'one', id], `/schedules/${encodeURIComponent(id)}`);

/** Slides as files, read before they are shared: a share must follow the press at once. */
const filesQuery = ({ id, version, images }: Content) =>
  queryOptions({
    queryKey: ['files', id, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      Promise.all(
        images.map(async ({ url, index }) => {
          const answer = await fetch(ownOrigin(url), { signal });
          if (!answer.ok) throw new Error(words.noFiles);
          return new File([await answer.blob()], `${String(index).padStart(2, '0')}.jpg`, {
            type: 'image/jpeg',
          });
        }),
      ),
  });

/** What a person posts from a phone: slides and words to take along, and what became of it. */
export function Due() {
  const { scheduleId } = routeApi.useParams();
  const schedule = useQuery(scheduleQuery(scheduleId));
  return (
    <Screen name={words.title}>
      <Shown query={schedule}>{found => <Waiting schedule={found} />}</Shown>
    </Screen>
  );
}

function Waiting({ schedule }: { schedule: Schedule }) {
  // Somebody who has shared the slides may come back to another version.
  const [opened] = useState(schedule.contentVersion);
  const content = useQuery(contentQuery(schedule.contentId));
  const account = useQuery(accountsQuery).data?.find(({ id }) => id === schedule.tiktokAccountId);
  const isOpen = schedule.status === 'due' || schedule.status === 'pending';
  const approved = content.data?.approvalStatus === 'approved' ? content.data : null;
  // Slides of one version are not posted with the words of another.
  const isBehind = approved !== null && approved.version !== schedule.contentVersion;
  useQuery({ ...scheduleQuery(schedule.id), refetchInterval: isOpen && isBehind && 1_000 });
  return (
    <Shown query={content}>
      {deck => (
        <>
          <section aria-label={deck.result?.hook} className="max-w-44">
            <Slides
              content={deck}
              onExpired={() =>
                void queryClient.invalidateQueries({ queryKey: contentQuery(deck.id).queryKey })
              }
              className="w-full"
            />
          </section>
          {!isOpen && <p>{words.over[schedule.status === 'sent' ? 'sent' : 'other']}</p>}
          {isOpen && !approved && <ErrorBox title={words.notApproved} error={words.notApprovedBody} />}
          {isOpen && isBehind && <Loading />}
          {isOpen && approved && !isBehind && (
            <Take deck={deck} schedule={schedule} account={account ? shortName(account) : ''} />
          )}
          {isOpen && !isBehind && <Report schedule={schedule} opened={opened} isNewest={approved !== null} />}
          {isOpen && <NotNow schedule={schedule} />}
        </>
      )}
    </Shown>
  );
}

function Take({ deck, schedule, account }: { deck: Content; schedule: Schedule; account: string }) {
  const files = useQuery(filesQuery(deck));
  const caption = [schedule.title, schedule.description].filter(Boolean).join('\n\n');
  const canShare = files.data !== undefined && navigator.canShare?.({ files: files.data }) === true;
  const share = async () => {
    try {
      await navigator.share({ files: files.data ?? [], text: caption });
    } catch (error) {
      // Closing the sheet is no fault.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showProblem(error as Error);
    }
  };
  return (
    <Card title={words.take(account)}>
      <p className="text-soft">{canShare ? words.shareHint : words.saveHint}</p>
      {files.error && <ErrorBox error={files.error} onRetry={() => void files.refetch()} />}
      <div className="flex flex-wrap items-center gap-2.5">
        {canShare && (
          <Button tone="primary" onClick={() => void share()}>
            {words.share}
          </Button>
        )}
        <a
          href={`/console/api/v1/content/${deck.id}/archive`}
          download={`${deck.id}.zip`}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {words.save}
        </a>
        <CopyButton text={caption} label={words.copy} />
      </div>
      <p dir="auto" className="text-sm whitespace-pre-wrap">
        {caption}
      </p>
    </Card>
  );
}

type ReportProps = { schedule: Schedule; opened: number; isNewest: boolean };

/** @param isNewest the version that is due is the newest, and nobody doubts which one is meant */
function Report({ schedule: { id, contentVersion }, opened, isNewest }: ReportProps) {
  const navigate = useNavigate();
  const { canPublish, role } = useMe();
  const [url, setUrl] = useState('');
  const posted = useAction(
    (given: { url?: string; version: number }, key) => api.post(`/schedules/${id}/posted`, given, { key }),
    {
      changes: ['schedules', 'content'],
      onDone: () => {
        showToast({ text: words.postedDone });
        void navigate({ to: '/posts' });
      },
    },
  );
  if (!canPublish) return <p className="text-soft">{texts.common.roleLacks(role, words.reportPosts)}</p>;
  const versions = [...new Set([contentVersion, opened])];
  return (
    <Card title={words.reportTitle}>
      <ScriptForm
        onSubmit={(_, event) => {
          const { value } = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement;
          posted.mutate({ ...(url !== '' && { url }), version: Number(value) });
        }}
      >
        <Field
          label={words.link}
          isOptional
          type="url"
          placeholder="https://www.tiktok.com/"
          value={url}
          onValue={setUrl}
        />
        {posted.error && <ErrorBox error={posted.error} />}
        <div className="flex flex-wrap gap-2.5">
          {versions.map(version => (
            <Button key={version} type="submit" value={version} tone="go" busy={posted.isPending}>
              {isNewest && versions.length === 1 ? words.posted : words.postedVersion(version)}
            </Button>
          ))}
        </div>
      </ScriptForm>
    </Card>
  );
}

function NotNow({ schedule: { id } }: { schedule: Schedule }) {
  const navigate = useNavigate();
  const workspace = useQuery(workspaceQuery);
  const zone = workspace.data?.timezone;
  const { canEdit } = useMe();
  const [local, setLocal] = useState('');
  const move = useAction((scheduledFor: string) => api.patch(`/schedules/${id}`, { scheduledFor }), {
    changes: ['schedules'],
    onDone: () => {
      showToast({ text: words.moved });
      void navigate({ to: '/posts' });
    },
  });
  if (!canEdit) return null;
  return (
    <Card title={words.notNow}>
      {move.error && <ErrorBox error={move.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          busy={move.isPending}
          onClick={() => move.mutate(new Date(Date.now() + hourMs).toISOString())}
        >
          {words.inAnHour}
        </Button>
        <Button
          busy={move.isPending}
          disabled={!zone}
          onClick={() => zone && move.mutate(fromLocal(tomorrow(zone), zone) as string)}
        >
          {words.tomorrow}
        </Button>
      </div>
      <Shown query={workspace}>
        {({ timezone }) => {
          const chosen = fromLocal(local, timezone);
          return (
            <>
              <LocalTime
                label={words.choose}
                hint={texts.common.timesIn(timezone)}
                value={local}
                onChange={setLocal}
              />
              <div>
                <Button disabled={chosen === null} onClick={() => chosen && move.mutate(chosen)}>
                  {words.move}
                </Button>
              </div>
            </>
          );
        }}
      </Shown>
    </Card>
  );
}
