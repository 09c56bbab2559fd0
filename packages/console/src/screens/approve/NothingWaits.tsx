import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHidden } from '../../decisions.ts';
import { useMe } from '../../me.ts';
import {
  accountsQuery,
  appsQuery,
  newestApprovedQuery,
  nextFiringsQuery,
  recentSchedulesQuery,
  schedulesBetween,
} from '../../queries.ts';
import { dayMs, minuteMs } from '../../rules/durations.ts';
import { workTexts } from '../../texts/work.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { NewDeckButton } from '../../ui/NewDeckButton.tsx';
import { Loading } from '../../ui/Progress.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { TimeInZone, ZoneNote } from '../../ui/TimeInZone.tsx';
import { Guide } from './Guide.tsx';

const weekMs = 7 * dayMs;
const words = workTexts.approve;

/** The queue is empty: says what comes next and when, and leads a new workspace to its first post. */
export function NothingWaits() {
  const apps = useQuery(appsQuery);
  const approved = useQuery(newestApprovedQuery);
  const accounts = useQuery(accountsQuery);
  const schedules = useQuery(recentSchedulesQuery);
  const firings = useQuery(nextFiringsQuery);
  const decided = useHidden();
  if (!apps.data || !approved.data || !accounts.data || !schedules.data || firings.data === undefined) {
    const queries = [apps, approved, accounts, schedules, firings];
    return queries.some(({ isError }) => isError) ? <ReadError queries={queries} /> : <Loading />;
  }
  const isUnderWay = schedules.data.data.length > 0 || approved.data.length > 1 || firings.data?.length;
  if (isUnderWay) return <CaughtUp />;
  // No deck waits, so one that was made and is not approved helps no further.
  const isApproved = approved.data.length > 0 || [...decided.values()].includes('approve');
  const done = {
    link: apps.data.length > 0,
    deck: isApproved,
    approve: isApproved,
    connect: accounts.data.length > 0,
    schedule: false,
  };
  return <Guide done={done} app={apps.data[0]} deckId={approved.data[0]?.id} />;
}

function CaughtUp() {
  const navigate = useNavigate();
  const { canPublish } = useMe();
  const firings = useQuery(nextFiringsQuery);
  const firing = firings.data?.[0];
  // To the minute, so that the key of the query stays the same while it is on screen.
  const [fromMs] = useState(() => Math.floor(Date.now() / minuteMs) * minuteMs);
  const upcoming = useQuery(
    schedulesBetween(new Date(fromMs).toISOString(), new Date(fromMs + weekMs).toISOString()),
  );
  const goesOut = upcoming.data
    ?.filter(({ status }) => status === 'pending')
    .sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor))[0];
  return (
    <EmptyState
      title={words.emptyTitle}
      actions={
        <>
          <NewDeckButton tone="primary" />
          {canPublish && !firing && (
            <Button onClick={() => void navigate({ to: '/automations' })}>{words.planAutomation}</Button>
          )}
        </>
      }
    >
      <p>{words.emptyBody}</p>
      {(firing || goesOut) && (
        <dl className="grid gap-1 rounded-control border border-line bg-sheet p-4 text-start text-ink">
          {firing && <Row label={words.emptyNextAt} at={firing.fireAt} />}
          {goesOut && <Row label={words.emptyGoesOut} at={goesOut.scheduledFor} />}
        </dl>
      )}
      {(firing || goesOut) && <ZoneNote />}
      {firings.data?.length === 0 && !goesOut && <p>{words.emptyNoNext}</p>}
      <ReadError queries={[firings, upcoming]} />
    </EmptyState>
  );
}

function Row({ label, at }: { label: string; at: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6">
      <dt className="text-soft">{label}</dt>
      <dd className="font-semibold">
        <TimeInZone at={at} />
      </dd>
    </div>
  );
}
