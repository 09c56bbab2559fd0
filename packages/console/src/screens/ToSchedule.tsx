import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMe } from '../me.ts';
import { accountsQuery, appsQuery, rowsOf, toScheduleQuery, workspaceQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { planMax, slotKey } from '../rules/plan.ts';
import { type SlotOffer, takeSlot } from '../slot-offer.ts';
import { planTexts } from '../texts/plan.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Account, Content } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Icon } from '../ui/Icon.tsx';
import { List } from '../ui/List.tsx';
import { NewDeckButton } from '../ui/NewDeckButton.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { ZoneNote } from '../ui/TimeInZone.tsx';
import { showProblem, showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { dayAndTime } from '../zone.ts';
import { SlotsEditor } from './accounts/Slots.tsx';
import { PlanDialog } from './to-schedule/PlanDialog.tsx';
import { useOffers } from './to-schedule/useOffers.ts';

const words = workTexts.toSchedule;

/** The second queue: what is approved and has no time yet. */
export function ToSchedule() {
  const query = useInfiniteQuery(toScheduleQuery);
  const navigate = useNavigate();
  // The lists of decks and of free slots learn of a new schedule a moment later.
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const take = (...keys: string[]) => setTaken(before => new Set([...before, ...keys]));
  const { canEdit } = useMe();
  const rows = rowsOf(query).filter(({ id }) => !taken.has(id));
  // In the order in which they were selected.
  const [selectedIds, setSelected] = useState<readonly string[]>([]);
  const selected = selectedIds.flatMap(id => rows.filter(row => row.id === id));
  const [planned, setPlanned] = useState<readonly Content[] | null>(null);
  const next = (selected.length > 0 ? selected : rows).slice(0, planMax);
  const accounts = useQuery(accountsQuery).data;
  const offers = useOffers(rows, taken);
  const hasSlots = accounts?.some(({ slots }) => slots.length > 0) ?? true;
  return (
    <Screen
      name={words.title}
      actions={
        canEdit &&
        hasSlots &&
        next.length > 0 && (
          <Button tone="primary" onClick={() => setPlanned(next)}>
            {planTexts.open(next.length)}
          </Button>
        )
      }
      lead={
        <>
          {canEdit && hasSlots && rows.length > 0 && words.lead} <ZoneNote />
        </>
      }
    >
      {!hasSlots && rows.length > 0 && <NoSlots accounts={accounts ?? []} />}
      <List
        query={query}
        label={words.title}
        matches={({ id }) => !taken.has(id)}
        empty={
          <EmptyState
            icon="posts"
            title={words.empty}
            actions={
              <>
                <Button tone="primary" onClick={() => void navigate({ to: '/calendar' })}>
                  {planTexts.toCalendar}
                </Button>
                <NewDeckButton />
              </>
            }
          >
            {words.emptyBody}
          </EmptyState>
        }
        row={content => (
          <Row
            content={content}
            offers={offers?.get(content.id) ?? null}
            onTaken={({ accountId, at }) => take(content.id, slotKey(accountId, at))}
          >
            {canEdit && (
              <label className="-m-2.5 grid size-11 shrink-0 place-items-center">
                <input
                  type="checkbox"
                  aria-label={planTexts.select(content.result?.hook ?? workTexts.posts.untitled)}
                  className="size-6 accent-go"
                  checked={selectedIds.includes(content.id)}
                  onChange={({ target }) =>
                    setSelected(ids =>
                      target.checked ? [...ids, content.id] : ids.filter(id => id !== content.id),
                    )
                  }
                />
              </label>
            )}
          </Row>
        )}
      />
      {planned && <PlanDialog decks={planned} onTaken={take} onClose={() => setPlanned(null)} />}
    </Screen>
  );
}

/** Times are chosen once; then every deck here has one with a tap. */
function NoSlots({ accounts }: { accounts: readonly Account[] }) {
  const { isOwner } = useMe();
  const [chosen, setChosen] = useState<Account | null>(null);
  return (
    <Card title={words.noSlots}>
      <p className="text-soft">{isOwner ? words.noSlotsBody : words.ownersChoose}</p>
      <div className="flex flex-wrap gap-2">
        {isOwner &&
          accounts.map(account => (
            <Button key={account.id} tone="primary" onClick={() => setChosen(account)}>
              <span className="min-w-0 whitespace-normal wrap-anywhere">
                {words.chooseTimes(shortName(account))}
              </span>
            </Button>
          ))}
        {accounts.length === 0 && (
          <Link to="/accounts" className="min-h-11 content-center font-semibold underline">
            {workTexts.schedule.connect}
          </Link>
        )}
      </div>
      {chosen && <SlotsEditor account={chosen} onClose={() => setChosen(null)} />}
    </Card>
  );
}

type RowProps = {
  content: Content;
  /** Null while they are read: no button changes what it does. */
  offers: readonly SlotOffer[] | null;
  onTaken: (offer: SlotOffer) => void;
  children: ReactNode;
};

function Row({ content, offers, onTaken, children }: RowProps) {
  const navigate = useNavigate();
  const { canEdit } = useMe();
  const app = useQuery(appsQuery).data?.find(({ id }) => id === content.appId);
  const hasOffer = offers !== null && offers.length > 0;
  const zone = useQuery(workspaceQuery).data?.timezone ?? 'UTC';
  const take = useAction(({ accountId, at }: SlotOffer, key) => takeSlot(content, accountId, key, at), {
    changes: ['schedules', 'content'],
    onDone: ({ scheduledFor, mode }, offer) => {
      showToast({ text: texts.common.scheduledAt(dayAndTime(scheduledFor, zone), mode) });
      onTaken(offer);
    },
    onFailed: showProblem,
  });
  const toForm = (offer?: SlotOffer) => {
    const search = offer ? { at: offer.at, accountId: offer.accountId } : {};
    void navigate({ to: '/posts/$contentId/schedule', params: { contentId: content.id }, search });
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
      {children}
      <Thumbnail images={content.images} />
      <ToDeck
        id={content.id}
        className="grid min-w-0 flex-1 basis-40 items-center font-semibold pointer-coarse:min-h-11"
      >
        <span dir="auto">{content.result?.hook ?? workTexts.posts.untitled}</span>
        {app && <span className="text-sm font-normal text-soft">{app.name}</span>}
      </ToDeck>
      {canEdit && offers === null && <div className="min-h-11 w-full sm:w-auto" />}
      {canEdit && offers && (
        <div className="flex w-full flex-wrap gap-2 sm:w-auto">
          {offers.map(offer => (
            <Button
              key={offer.accountId}
              size="small"
              className="min-w-36 flex-1 !whitespace-normal wrap-anywhere max-sm:basis-full"
              busy={take.isPending && take.variables?.accountId === offer.accountId}
              disabled={take.isPending}
              onClick={() => (offer.isDirect ? toForm(offer) : take.mutate(offer))}
            >
              {words.at(offer.label)}
            </Button>
          ))}
          <Button size="small" onClick={() => toForm(offers[0])} icon={<Icon name="schedule" />}>
            {hasOffer ? words.otherTime : texts.common.schedule}
          </Button>
        </div>
      )}
    </div>
  );
}
