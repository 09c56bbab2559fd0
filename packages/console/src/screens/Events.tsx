import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LogRow } from '../manage/LogRow.tsx';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import { eventLog, type FeedEvent, isCut } from '../manage/queries.ts';
import { readable } from '../manage/text.ts';
import { accountsQuery, appsQuery, contentsQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { deckIn, toldBy } from '../rules/event.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content } from '../types.ts';
import { ToDeck } from '../ui/DeckLink.tsx';
import { deckName } from '../ui/deckName.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';

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
  const accounts = useQuery(accountsQuery).data ?? [];
  const apps = useQuery(appsQuery).data ?? [];
  // An event of a deck has neither its app nor its picture.
  const read = useQueries({
    queries: (query.data?.pages ?? []).map(({ data }) =>
      contentsQuery([...new Set(data.flatMap(event => deckIn(event) ?? []))]),
    ),
  });
  const decks = new Map(read.flatMap(({ data = [] }) => data.map(deck => [deck.id, deck] as const)));
  const names = new Map([
    ...accounts.map(account => [account.id, shortName(account)] as const),
    ...apps.map(({ id, name }) => [id, name] as const),
  ]);
  return (
    <>
      <div className="max-w-xs">
        <Select
          label={words.filter}
          value={type}
          onValue={setType}
          none={words.all}
          options={Object.entries(words.names)}
        />
      </div>
      <List
        query={query}
        label={words.list}
        at={({ timestamp }) => timestamp}
        matches={type === '' ? undefined : event => event.type === type}
        empty={
          type === '' ? (
            <EmptyState icon="events" title={words.empty}>
              <p>{words.emptyBody}</p>
            </EmptyState>
          ) : (
            <p className="py-10 text-center text-soft">{workTexts.posts.emptyFilter}</p>
          )
        }
        row={event => <EventRow event={event} deck={decks.get(deckIn(event) ?? '')} names={names} />}
      />
      {isCut(query) && <p className="text-sm text-soft">{manageTexts.manage.newestOnly}</p>}
      <ZoneNote />
    </>
  );
}

type RowProps = { event: FeedEvent; deck: Content | undefined; names: ReadonlyMap<string, string> };

function EventRow({ event, deck, names }: RowProps) {
  const { title = deck && deckName(deck), account, why } = toldBy(event, names);
  const contentId = deckIn(event);
  return (
    <LogRow
      picture={contentId && <Thumbnail images={deck?.images ?? []} />}
      what={<span className="font-semibold">{words.names[event.type] ?? event.type}</span>}
      about={[title, names.get(deck?.appId ?? ''), account, why].filter(Boolean).join(' · ')}
      at={event.timestamp}
    >
      {contentId && (
        <ToDeck id={contentId} className="min-h-11 content-center justify-self-start underline">
          {words.deck}
        </ToDeck>
      )}
      <code className="font-mono text-xs text-soft">{event.type}</code>
      <section
        aria-label={manageTexts.manage.details}
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control bg-well p-3"
      >
        <pre className="font-mono text-xs whitespace-pre-wrap">{readable(event.data)}</pre>
      </section>
    </LogRow>
  );
}
