import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../../me.ts';
import {
  accountsQuery,
  appsQuery,
  hooksQuery,
  nextFiringsQuery,
  recentSchedulesQuery,
  schedulesBetween,
} from '../../queries.ts';
import { dayMs, minuteMs } from '../../rules/durations.ts';
import { workTexts } from '../../texts/work.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loading } from '../../ui/Progress.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { TimeInZone, ZoneNote } from '../../ui/TimeInZone.tsx';
import { Guide, type GuideStep } from './Guide.tsx';

const weekMs = 7 * dayMs;
const words = workTexts.approve;

/** The queue is empty: says what comes next and when, and leads a new workspace to its first post. */
export function NothingWaits() {
  const apps = useQuery(appsQuery);
  const decks = useQuery(hooksQuery);
  const accounts = useQuery(accountsQuery);
  const schedules = useQuery(recentSchedulesQuery);
  if (!apps.data || !decks.data || !accounts.data || !schedules.data) {
    const queries = [apps, decks, accounts, schedules];
    return queries.some(({ isError }) => isError) ? <ReadError queries={queries} /> : <Loading />;
  }
  const step = firstOpenStep({
    apps: apps.data.length,
    decks: decks.data.size,
    accounts: accounts.data.length,
    schedules: schedules.data.data.length,
  });
  return step === null ? (
    <CaughtUp />
  ) : (
    <Guide step={step} app={apps.data[0]} deckId={decks.data.keys().next().value} />
  );
}

/** Approving is no step of its own here: while a deck waits for it, the deck is on screen. */
function firstOpenStep(count: Record<'apps' | 'decks' | 'accounts' | 'schedules', number>): GuideStep | null {
  if (count.schedules > 0) return null;
  if (count.apps === 0) return 'link';
  if (count.decks === 0) return 'deck';
  return count.accounts === 0 ? 'connect' : 'schedule';
}

function CaughtUp() {
  const navigate = useNavigate();
  const { canEdit, canPublish } = useMe();
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
          {canEdit && (
            <Button tone="primary" onClick={() => void navigate({ to: '/apps' })}>
              {words.makeDeck}
            </Button>
          )}
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
