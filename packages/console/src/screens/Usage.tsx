import { useQuery } from '@tanstack/react-query';
import { Meter } from '../manage/Facts.tsx';
import { type UsageRow, usageQuery } from '../manage/queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';

const words = manageTexts.usage;

export function Usage() {
  return (
    <Screen name={texts.screens.usage} lead={words.lead}>
      <Shown query={useQuery(usageQuery)}>
        {({ windows, ceilings }) => {
          const rows = [...ceilings, ...windows];
          return (
            <>
              <Limits title={words.ofDecks} rows={rows.filter(isOfDecks)} />
              <Limits title={words.forDevelopers} rows={rows.filter(row => !isOfDecks(row))} />
            </>
          );
        }}
      </Shown>
    </Screen>
  );
}

const isOfDecks = ({ name }: UsageRow) => name === 'daily_generation' || name === 'generations';

function Limits({ title, rows }: { title: string; rows: readonly UsageRow[] }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{title}</h2>
      <ul aria-label={title} className="grid gap-3 sm:grid-cols-2">
        {rows.map(({ name, limit, used, resetsAt }) => (
          <li key={name} className="grid content-start gap-2 rounded-card border border-line bg-sheet p-4">
            <div className="flex flex-wrap items-baseline justify-between gap-2">
              <h3 className="font-sans text-base font-semibold">{words.names[name] ?? name}</h3>
              <p className="text-sm tabular-nums">{manageTexts.manage.ofLimit(used, limit)}</p>
            </div>
            <Meter label={words.names[name] ?? name} used={used} limit={limit} />
            {resetsAt && (
              <p className="text-sm text-soft">
                {words.resets} <TimeInZone at={resetsAt} isRelative />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
