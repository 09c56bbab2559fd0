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
              <Limits label={words.ofDecks} rows={rows.filter(isOfDecks)} />
              <details>
                <summary className="min-h-11 content-center font-semibold">{words.forDevelopers}</summary>
                <Limits label={words.forDevelopers} rows={rows.filter(row => !isOfDecks(row))} />
              </details>
            </>
          );
        }}
      </Shown>
    </Screen>
  );
}

const isOfDecks = ({ name }: UsageRow) => name === 'daily_generation' || name === 'generations';

function Limits({ label, rows }: { label: string; rows: readonly UsageRow[] }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-card border border-line bg-sheet">
      {rows.map(({ name, limit, used, resetsAt }) => (
        <li key={name} className="grid gap-2 border-line p-4 not-last:border-b">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="font-sans text-base font-semibold">{words.names[name] ?? name}</h2>
            <p className="tabular-nums">
              {manageTexts.manage.ofLimit(used, limit)}
              {resetsAt && (
                <span className="text-soft">
                  {' · '}
                  {words.resets} <TimeInZone at={resetsAt} isRelative />
                </span>
              )}
            </p>
          </div>
          <Meter label={words.names[name] ?? name} used={used} limit={limit} />
        </li>
      ))}
    </ul>
  );
}
