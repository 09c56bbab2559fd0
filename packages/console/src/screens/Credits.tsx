import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Figure, Meter } from '../manage/Facts.tsx';
import { ledgerList } from '../manage/queries.ts';
import { creditsQuery, useIsMetered } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { Credits as Balances } from '../types.ts';
import { Pages, Table } from '../ui/List.tsx';
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
    </div>
  );
}

function Ledger() {
  const query = useInfiniteQuery(ledgerList);
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{words.ledger}</h2>
      <Pages query={query} empty={<p className="text-soft">{words.empty}</p>}>
        {rows => (
          <>
            <Table
              label={words.ledger}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { name: words.when, cell: row => <TimeInZone at={row.createdAt} /> },
                {
                  name: words.reason,
                  cell: ({ reason, contentId }) => {
                    const name = words.reasons[reason] ?? reason;
                    if (!contentId) return name;
                    return (
                      <Link
                        to="/posts/$contentId"
                        params={{ contentId }}
                        aria-label={`${name} ${contentId}`}
                        className="underline"
                      >
                        {name}
                      </Link>
                    );
                  },
                },
                {
                  name: words.amount,
                  isNumber: true,
                  cell: row => (row.amount > 0 ? `+${row.amount}` : `−${-row.amount}`),
                },
              ]}
            />
            <ZoneNote />
          </>
        )}
      </Pages>
    </section>
  );
}
