import { useInfiniteQuery } from '@tanstack/react-query';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import { type AuditEvent, auditLog } from '../manage/queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { TimeInZone, useZone, ZoneNote } from '../ui/TimeInZone.tsx';
import { timesIn } from '../zone.ts';

const words = manageTexts.audit;

export function Audit() {
  return (
    <Screen name={texts.screens.audit} lead={words.lead}>
      <OwnersOnly what={words.ownerOnly}>
        <Entries />
      </OwnersOnly>
    </Screen>
  );
}

function Entries() {
  const query = useInfiniteQuery(auditLog);
  return (
    <>
      <List
        query={query}
        label={words.list}
        keyOf={({ id }) => id}
        empty={<p className="text-soft">{words.empty}</p>}
        row={entry => <Entry entry={entry} />}
      />
      <ZoneNote />
    </>
  );
}

function Entry({ entry }: { entry: AuditEvent }) {
  const { actor, action, address, requestId, detail } = entry;
  const zone = useZone();
  const facts = Object.entries(detail).filter(([, value]) => value !== null);
  return (
    <div className="grid gap-1 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p>
          <span className="font-semibold">{actor.name ?? words.actors[actor.kind] ?? actor.kind}</span>{' '}
          {words.actions[action] ?? action}
        </p>
        <p className="text-sm text-soft sm:ms-auto">
          <TimeInZone at={entry.at} />
        </p>
      </div>
      {facts.length > 0 && (
        <p className="text-sm">
          {timesIn(facts.map(([name, value]) => `${name}: ${short(value)}`).join(' · '), zone)}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
        <code className="font-mono text-xs">{action}</code>
        {address && (
          <span>
            {words.from} {address}
          </span>
        )}
        {requestId && (
          <>
            <code className="font-mono text-xs">{requestId}</code>
            <CopyButton text={requestId} label={texts.common.copyRequestId} isIconOnly />
          </>
        )}
      </div>
    </div>
  );
}

function short(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
