import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { LogRow } from '../manage/LogRow.tsx';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import {
  type AuditEvent,
  auditLog,
  everyAutomation,
  everyKey,
  everyMember,
  everyWebhook,
  isCut,
} from '../manage/queries.ts';
import { accountsQuery, appsQuery, rowsOf } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { burstsOf, factsIn, nameIn } from '../rules/audit.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { Screen } from '../ui/Screen.tsx';
import { useZone, ZoneNote } from '../ui/TimeInZone.tsx';
import { timesIn } from '../zone.ts';

const routeApi = getRouteApi('/in/audit');
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
  const search = routeApi.useSearch();
  const navigate = useNavigate();
  const members = (useQuery(everyMember).data ?? []).map(
    ({ userId, name, email }) => [userId, name ?? email ?? userId] as const,
  );
  const keys = (useQuery(everyKey).data ?? []).map(({ id, name }) => [id, name] as const);
  const apps = useQuery(appsQuery).data ?? [];
  const accounts = useQuery(accountsQuery).data ?? [];
  const automations = useQuery(everyAutomation).data ?? [];
  const webhooks = useQuery(everyWebhook).data ?? [];
  const names = new Map([
    ...[...members, ...keys],
    ...apps.map(({ id, name }) => [id, name] as const),
    ...automations.map(({ id, appId }) => [id, apps.find(app => app.id === appId)?.name ?? ''] as const),
    ...webhooks.map(({ id, url }) => [id, url] as const),
    ...accounts.map(account => [account.id, shortName(account)] as const),
  ]);
  const narrow = (part: typeof search) => {
    const given = Object.entries({ ...search, ...part }).filter(([, value]) => value !== '');
    void navigate({ to: '/audit', search: Object.fromEntries(given), replace: true });
  };
  const options = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([id, name]) => (
      <option key={id} value={id}>
        {name}
      </option>
    ));
  const log = useInfiniteQuery(auditLog(search));
  const bursts = burstsOf(rowsOf(log));
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:max-w-lg">
        <Select
          label={words.what}
          value={search.action ?? ''}
          onValue={action => narrow({ action })}
          none={words.everything}
          options={Object.entries(words.kinds)}
        />
        <Select
          label={words.who}
          value={search.actorId ?? ''}
          onValue={actorId => narrow({ actorId })}
          none={words.everybody}
        >
          <optgroup label={words.members}>{options(members)}</optgroup>
          {keys.length > 0 && <optgroup label={words.keys}>{options(keys)}</optgroup>}
        </Select>
      </div>
      <List
        query={log}
        matches={entry => bursts.has(entry)}
        label={words.list}
        at={({ at }) => at}
        empty={<p className="text-soft">{words.empty}</p>}
        row={entry => <Entry entry={entry} burst={bursts.get(entry) ?? []} names={names} />}
      />
      {isCut(log) && <p className="text-sm text-soft">{manageTexts.manage.newestOnly}</p>}
      <ZoneNote />
    </>
  );
}

type EntryProps = {
  entry: AuditEvent;
  /** The entries that it stands for, itself included. */
  burst: readonly AuditEvent[];
  names: ReadonlyMap<string, string>;
};

function Entry({ entry, burst, names }: EntryProps) {
  const { actor, action, subject, address, detail } = entry;
  const name = nameIn(entry, names);
  const isSignIn = action.startsWith('auth.');
  const facts = [...factsIn(entry), ...(isSignIn && address ? [`${words.from} ${address}`] : [])];
  // The part before the @ tells people apart; the details have the whole address.
  const isUnknown = actor.kind === 'anonymous' && subject.kind === 'user';
  const by = isUnknown ? name : actor.name;
  const who = by && `${words.prefixes[actor.kind] ?? ''} ${by.split('@')[0]}`.trim();
  const did = words.requests[String(detail.request)] ?? words.actions[action] ?? action;
  return (
    <LogRow
      what={
        <>
          <span className="font-semibold">{who || words.actors[actor.kind]}</span> {did}
          {burst.length > 1 && words.times(burst.length)}
        </>
      }
      about={[!isUnknown && name, ...facts].filter(Boolean).join(' · ')}
      at={entry.at}
    >
      {name && <About kind={subject.kind} id={subject.id} name={name} />}
      {burst.map(one => (
        <Details key={one.id} entry={one} />
      ))}
    </LogRow>
  );
}

function Details({ entry: { actor, action, address, requestId, detail } }: { entry: AuditEvent }) {
  const zone = useZone();
  const rest = Object.entries(detail).filter(([, value]) => value !== null && short(value) !== '');
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-soft">
        {actor.name && <Fact name={words.who} value={actor.name} />}
        <Fact name={words.action} value={action} />
        {address && <Fact name={words.address} value={address} />}
        {rest.map(([name, value]) => (
          <Fact key={name} name={name} value={timesIn(short(value), zone)} />
        ))}
        {requestId && <Fact name={texts.common.requestId} value={requestId} />}
      </dl>
      {requestId && (
        <CopyButton text={requestId} label={texts.common.copyRequestId} className="justify-self-start" />
      )}
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="text-ink">{value}</dd>
    </>
  );
}

const look = 'min-h-11 content-center justify-self-start font-medium underline underline-offset-2';

function About({ kind, id, name }: { kind: string; id: string | null; name: string }) {
  if (kind === 'content' && id)
    return (
      <ToDeck id={id} dir="auto" className={look}>
        {name}
      </ToDeck>
    );
  if (kind === 'app' && id)
    return (
      <Link to="/apps/$appId" params={{ appId: id }} className={look}>
        {name}
      </Link>
    );
  return null;
}

function short(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
