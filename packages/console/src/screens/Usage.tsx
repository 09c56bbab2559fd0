import { useQuery } from '@tanstack/react-query';
import { Meter } from '../manage/Facts.tsx';
import { usageQuery } from '../manage/queries.ts';
import { usageRows } from '../manage/usage.ts';
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
        {usage => (
          <ul aria-label={words.list} className="grid gap-3 sm:grid-cols-2">
            {usageRows(usage).map(({ name, limit, used, resetsAt }) => (
              <li key={name} className="grid gap-2 rounded-card border border-line bg-sheet p-4">
                <div className="flex flex-wrap items-baseline justify-between gap-2">
                  <h2 className="font-sans text-base font-semibold">{words.names[name] ?? spaced(name)}</h2>
                  <p className="text-sm tabular-nums">{manageTexts.manage.ofLimit(used, limit)}</p>
                </div>
                <Meter label={words.names[name] ?? spaced(name)} used={used} limit={limit} />
                {resetsAt && (
                  <p className="text-sm text-soft">
                    {words.resets} <TimeInZone at={resetsAt} isRelative />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Screen>
  );
}

/** `dailyGeneration` as "Daily generation". */
function spaced(name: string): string {
  const text = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
