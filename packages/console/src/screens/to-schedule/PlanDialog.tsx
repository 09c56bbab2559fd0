import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lastChoices } from '../../choices.ts';
import { accountsQuery, appsQuery, freeSlotsQuery, queryClient, workspaceQuery } from '../../queries.ts';
import { shortName } from '../../rules/account-name.ts';
import { likelyAccount } from '../../rules/choices.ts';
import { planDecks, takersOf } from '../../rules/plan.ts';
import { takeSlot } from '../../slot-offer.ts';
import { planTexts as words } from '../../texts/plan.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Choices } from '../../ui/Field.tsx';
import { Loading, Progress } from '../../ui/Progress.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useOneByOne } from '../../ui/useOneByOne.ts';
import { dayAndTime } from '../../zone.ts';

type Props = {
  decks: readonly Content[];
  /** Accounts that have others of these decks already. */
  busy?: readonly string[];
  onTaken: (id: string) => void;
  onClose: () => void;
};

/** Shows when each deck would go out, and schedules them all with one press. */
export function PlanDialog({ decks: given, busy, onTaken, onClose }: Props) {
  const [decks] = useState(given);
  const [last] = useState(lastChoices);
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly string[]>>>({});
  const accounts = useQuery(accountsQuery);
  const apps = useQuery(appsQuery);
  const workspace = useQuery(workspaceQuery);
  const groups = [...new Set(decks.map(({ appId }) => appId))].map(appId => {
    const takers = takersOf(accounts.data ?? [], appId);
    const likely = likelyAccount(takers, appId, last);
    // An experiment needs several; otherwise one has the decks of an app.
    const isCompared = decks.every(deck => deck.appId !== appId || deck.experimentId !== null);
    const ids = chosen[appId] ?? (isCompared ? takers : likely ? [likely] : []).map(({ id }) => id);
    return { appId, takers, accounts: takers.filter(({ id }) => ids.includes(id)) };
  });
  const used = [...new Set(groups.flatMap(({ accounts: own }) => own.map(({ id }) => id)))];
  const reads = useQueries({ queries: used.map(id => freeSlotsQuery(id, decks.length)) });
  const isRead = accounts.data && workspace.data && reads.every(({ data }) => data !== undefined);
  const free = new Map(used.map((id, index) => [id, reads[index]?.data ?? []]));
  const groupOf = (app: string) => groups.find(({ appId }) => appId === app);
  const plan = planDecks(decks, appId => groupOf(appId)?.accounts ?? [], free, busy);
  const items = plan.flatMap(({ deck, to }) =>
    to === null ? [] : [{ id: deck.id, appId: deck.appId, ...to }],
  );
  // What was confirmed stays, while the slots that are still free change.
  const [confirmed, setConfirmed] = useState<typeof items | null>(null);
  const going = confirmed ?? items;
  const [times, setTimes] = useState<ReadonlyMap<string, string>>(new Map());
  const { run, done, refused, error, isFinished, isRunning } = useOneByOne(
    going,
    async ({ id, appId, account }, key) => {
      const { scheduledFor } = await takeSlot({ id, appId }, { accountId: account.id }, key);
      setTimes(before => new Map([...before, [id, scheduledFor]]));
      onTaken(id);
    },
  );
  const scheduleAll = async () => {
    setConfirmed(going);
    const refusals = await run();
    if (refusals !== null) showToast({ text: words.done(going.length - refusals) });
    if (refusals === 0 && going.length === decks.length) onClose();
    for (const key of ['schedules', 'content']) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  const says = ({ id, appId }: Content) => {
    const to = going.find(item => item.id === id);
    const { takers, accounts: own } = groupOf(appId)!;
    if (!to) return own.length === 0 && takers.length > 1 ? words.notChosen : words.noPlace;
    return texts.common.nextSlot(
      dayAndTime(times.get(id) ?? to.at, workspace.data?.timezone ?? 'UTC'),
      shortName(to.account),
    );
  };
  return (
    <Dialog
      title={words.title(decks.length)}
      onClose={() => isRunning || onClose()}
      actions={
        <>
          <Button disabled={isRunning} onClick={onClose}>
            {isFinished && done !== null && done > 0 ? texts.common.close : texts.common.cancel}
          </Button>
          {going.length > 0 && !isFinished && (
            <Button tone="primary" busy={isRunning} disabled={!isRead} onClick={() => void scheduleAll()}>
              {words.confirm(going.length)}
            </Button>
          )}
        </>
      }
    >
      <p className="text-soft">{words.lead}</p>
      <ReadError queries={[accounts, apps, workspace, ...reads]} />
      {groups
        .filter(({ takers }) => takers.length > 1)
        .map(({ appId, takers, accounts: own }) => (
          <Choices
            key={appId}
            legend={words.accountsFor(apps.data?.find(({ id }) => id === appId)?.name ?? '')}
            disabled={confirmed !== null}
            options={takers.map(taker => ({ value: taker.id, label: shortName(taker) }))}
            chosen={own.map(({ id }) => id)}
            onChange={ids => setChosen(before => ({ ...before, [appId]: ids }))}
          />
        ))}
      {isRead ? (
        <ol aria-label={workTexts.toSchedule.title} className="grid max-h-[50dvh] gap-1 overflow-y-auto">
          {/* What was refused is seen without scrolling. */}
          {decks
            .toSorted((a, b) => Number(refused.has(b.id)) - Number(refused.has(a.id)))
            .map(deck => (
              <li key={deck.id} className="flex items-center gap-3 border-b border-line py-1.5">
                <Thumbnail images={deck.images} />
                <div className="min-w-0 flex-1">
                  <p dir="auto" className="line-clamp-2 font-medium">
                    {deck.result?.hook ?? workTexts.posts.untitled}
                  </p>
                  <p className="text-sm text-soft">{says(deck)}</p>
                  {refused.has(deck.id) && <p className="text-sm text-float-ink">{refused.get(deck.id)}</p>}
                </div>
              </li>
            ))}
        </ol>
      ) : (
        <Loading />
      )}
      {done !== null && (
        <Progress label={words.running(done - refused.size, going.length)} done={done} total={going.length} />
      )}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
