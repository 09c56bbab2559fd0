import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Figure, Meter } from '../manage/Facts.tsx';
import { type LedgerRow, ledgerList } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { appsQuery, creditsQuery, rowsOf, useIsMetered, workspaceQuery } from '../queries.ts';
import { ledgerGroups } from '../rules/ledger.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { Credits as Balances } from '../types.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { deckName } from '../ui/deckName.ts';
import { Icon } from '../ui/Icon.tsx';
import { Days, Pages } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone, ZoneNote } from '../ui/TimeInZone.tsx';

const words = manageTexts.credits;

export function Credits() {
  return (
    <Screen name={texts.screens.credits} lead={useIsMetered() ? words.lead : words.leadUnlimited}>
      <Shown query={useQuery(creditsQuery)}>{found => <Balance {...found} />}</Shown>
      <Ledger />
    </Screen>
  );
}

function Balance({ balance, granted, spent, unlimited, dailyGeneration }: Balances) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure name={words.balance} value={unlimited ? words.unlimited : balance.toLocaleString()} />
      <Figure name={words.spent} value={spent.toLocaleString()} />
      {!unlimited && <Figure name={words.granted} value={granted.toLocaleString()} />}
      <Figure
        name={words.daily}
        value={dailyGeneration.used.toLocaleString()}
        hint={
          <>
            <Meter label={words.daily} used={dailyGeneration.used} limit={dailyGeneration.limit} />
            <p>
              {words.dailyHint(dailyGeneration.limit)}, {words.resets}{' '}
              <TimeInZone at={dailyGeneration.resetsAt} isRelative />
            </p>
          </>
        }
      />
      {!unlimited && <More />}
    </div>
  );
}

/** Whom to ask for credits, with a request that can be sent. */
function More() {
  const workspace = useQuery(workspaceQuery).data;
  const { user } = useMe();
  return (
    <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-soft">{words.grantedBy}</p>
      {workspace && (
        <CopyButton
          text={words.requestFor(workspace.name, workspace.id, user?.email ?? '')}
          label={words.request}
        />
      )}
    </div>
  );
}

function Ledger() {
  const query = useInfiniteQuery(ledgerList);
  // The day that goes on with the next page has no sums yet.
  const last = query.hasNextPage ? rowsOf(query).at(-1) : undefined;
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{words.ledger}</h2>
      <Pages query={query} empty={<p className="text-soft">{words.empty}</p>}>
        {rows => (
          <>
            <Days
              rows={rows}
              at={({ createdAt }) => createdAt}
              ofDay={ofDay => <Day rows={ofDay} isWhole={ofDay.at(-1) !== last} />}
            />
            <ZoneNote />
          </>
        )}
      </Pages>
    </section>
  );
}

function Day({ rows, isWhole }: { rows: readonly LedgerRow[]; isWhole: boolean }) {
  const apps = useQuery(appsQuery).data;
  return (
    <ul className="overflow-hidden rounded-card border border-line bg-sheet">
      {ledgerGroups(rows).map(({ key, rows, amount }) => (
        <li key={key} className="border-line not-last:border-b">
          {rows[0]?.contentId ? (
            <details className="group">
              <summary className="flex items-center gap-3 p-4 hover:bg-well/60">
                <Icon name="forward" className="size-4 group-open:rotate-90" />
                <span className="min-w-0 flex-1 font-semibold">
                  {words.ofApp(apps?.find(({ id }) => id === key)?.name, rows.length, isWhole)}
                </span>
                {isWhole && <Amount of={amount} />}
              </summary>
              <ul className="pb-2 ps-12 pe-4">
                {rows.map(row => (
                  <Deck key={row.id} row={row} />
                ))}
              </ul>
            </details>
          ) : (
            <p className="flex gap-3 p-4 ps-12">
              <span className="flex-1 font-semibold">{words.reasons.grant}</span>
              <Amount of={amount} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Deck({ row }: { row: LedgerRow }) {
  return (
    <li className="flex items-baseline gap-3 text-sm">
      <ToDeck
        id={row.contentId ?? ''}
        dir="auto"
        className="min-h-11 min-w-0 flex-1 content-center underline"
      >
        {row.deck ? deckName(row.deck) : words.reasons.generation}
      </ToDeck>
      <span className="text-soft">
        <TimeInZone at={row.createdAt} isClock />
      </span>
      <Amount of={row.amount} />
    </li>
  );
}

function Amount({ of }: { of: number }) {
  return <span className="tabular-nums">{of > 0 ? `+${of}` : `−${-of}`}</span>;
}
