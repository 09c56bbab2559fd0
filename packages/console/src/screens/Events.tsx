import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import { eventLog, type FeedEvent } from '../manage/queries.ts';
import { readable } from '../manage/text.ts';
import { accountsQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { toldBy } from '../rules/event.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
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
  const accounts = new Map(useQuery(accountsQuery).data?.map(account => [account.id, shortName(account)]));
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
        at={({ timestamp }) => timestamp}
        matches={type === '' ? undefined : event => event.type === type}
        empty={
          <EmptyState icon="events" title={words.empty}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        }
        row={event => <EventRow event={event} accounts={accounts} />}
      />
      <ZoneNote />
    </>
  );
}

function EventRow({ event, accounts }: { event: FeedEvent; accounts: ReadonlyMap<string, string> }) {
  const { contentId, title, account, why } = toldBy(event, accounts);
  return (
    <details className="group">
      <summary className="flex items-baseline gap-3 p-4 hover:bg-well/60">
        <Icon name="forward" className="size-4 self-center group-open:rotate-90" />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span dir="auto">
            <span className="font-semibold">{words.names[event.type] ?? event.type}</span> {title}
          </span>
          <span dir="auto" className="text-sm text-soft">
            {[account, why].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="text-sm text-soft">
          <TimeInZone at={event.timestamp} isClock />
        </span>
      </summary>
      <div className="grid gap-2 px-4 pb-4 text-sm">
        {contentId && (
          <Link
            to="/posts/$contentId"
            params={{ contentId }}
            className="min-h-11 content-center justify-self-start underline"
          >
            {words.deck}
          </Link>
        )}
        <code className="font-mono text-xs text-soft">{event.type}</code>
        <section
          aria-label={manageTexts.manage.details}
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-control bg-well p-3"
        >
          <pre className="font-mono text-xs whitespace-pre-wrap">{readable(event.data)}</pre>
        </section>
      </div>
    </details>
  );
}
