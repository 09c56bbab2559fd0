import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import { eventLog, type FeedEvent } from '../manage/queries.ts';
import { readable } from '../manage/text.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { TimeInZone, ZoneNote } from '../ui/TimeInZone.tsx';

const words = manageTexts.events;

export function Events() {
  return (
    <Screen name={texts.screens.events} lead={words.lead}>
      <OwnersOnly what={words.ownerOnly}>
        <Feed />
      </OwnersOnly>
    </Screen>
  );
}

function Feed() {
  const [type, setType] = useState('');
  const query = useInfiniteQuery(eventLog);
  return (
    <>
      <div className="max-w-xs">
        <Select label={words.filter} value={type} onChange={event => setType(event.target.value)}>
          <option value="">{words.all}</option>
          {Object.entries(words.names).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <List
        query={query}
        label={words.list}
        keyOf={({ id }) => id}
        matches={type === '' ? undefined : event => event.type === type}
        empty={
          <EmptyState icon="events" title={words.empty}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        }
        row={event => <EventRow event={event} />}
      />
      <ZoneNote />
    </>
  );
}

function EventRow({ event }: { event: FeedEvent }) {
  const { id, contentId, resourceId } = event.data;
  const content = [contentId, resourceId, id].find(given => typeof given === 'string');
  return (
    <div className="grid gap-1 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="font-semibold">{words.names[event.type] ?? event.type}</p>
        <code className="font-mono text-xs text-soft">{event.type}</code>
        <p className="text-sm text-soft sm:ms-auto">
          <TimeInZone at={event.timestamp} />
        </p>
      </div>
      {typeof content === 'string' && content.startsWith('content_') && (
        <p className="text-sm">
          <Link to="/posts/$contentId" params={{ contentId: content }} className="underline">
            {titleOf(event) ?? words.deck}
          </Link>
        </p>
      )}
      <details className="text-sm">
        <summary className="text-soft">{manageTexts.manage.details}</summary>
        <section
          aria-label={manageTexts.manage.details}
          tabIndex={0}
          className="mt-2 max-h-96 overflow-auto rounded-control bg-well p-3"
        >
          <pre className="font-mono text-xs whitespace-pre-wrap">{readable(event.data)}</pre>
        </section>
      </details>
    </div>
  );
}

function titleOf({ data }: FeedEvent): string | undefined {
  const { result, title } = data as { result?: { hook?: string } | null; title?: string };
  return result?.hook ?? title;
}
