import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { lastChoices } from '../../choices.ts';
import { accountsQuery, appsQuery, queryClient, workspaceQuery } from '../../queries.ts';
import { shortName } from '../../rules/account-name.ts';
import { likelyAccount } from '../../rules/choices.ts';
import { planDecks, slotKey, takersOf } from '../../rules/plan.ts';
import { freeSlotsQuery, takeSlot } from '../../slot-offer.ts';
import { planTexts as words } from '../../texts/plan.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Choices, Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
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
  const [all] = useState(given);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const decks = all.filter(({ id }) => !leftOut.has(id));
  /** The slots that were chosen by hand, by the ids of the decks. */
  const [wishes, setWishes] = useState<ReadonlyMap<string, string>>(new Map());
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
  const reads = useQueries({ queries: used.map(id => freeSlotsQuery(id)) });
  const isRead = accounts.data && workspace.data && reads.every(({ data }) => data !== undefined);
  const free = new Map(used.map((id, index) => [id, reads[index]?.data ?? []]));
  const groupOf = (app: string) => groups.find(({ appId }) => appId === app);
  const plan = planDecks(decks, appId => groupOf(appId)?.accounts ?? [], free, busy, wishes);
  const items = plan
    .flatMap(({ deck: { id, appId }, to }) =>
      to === null ? [] : [{ id, appId, ...to, isWish: wishes.get(id) === slotKey(to.account.id, to.at) }],
    )
    // The others take what is free by then, and so leave these alone.
    .toSorted((a, b) => Number(b.isWish) - Number(a.isWish));
  // What was confirmed stays, while the slots that are still free change.
  const [confirmed, setConfirmed] = useState<typeof items | null>(null);
  const going = confirmed ?? items;
  const [times, setTimes] = useState<ReadonlyMap<string, string>>(new Map());
  const { run, done, refused, error, isFinished, isRunning } = useOneByOne(
    going,
    async ({ id, appId, account, at, isWish }, key) => {
      const { scheduledFor } = await takeSlot({ id, appId }, account.id, key, isWish ? at : undefined);
      setTimes(before => new Map([...before, [id, scheduledFor]]));
      onTaken(id);
    },
  );
  const navigate = useNavigate();
  const toCalendar = { label: words.toCalendar, onPress: () => void navigate({ to: '/calendar' }) };
  const scheduleAll = async () => {
    setConfirmed(going);
    const refusals = await run();
    if (refusals !== null) showToast({ text: words.done(going.length - refusals), actions: [toCalendar] });
    if (refusals === 0 && going.length === decks.length) onClose();
    for (const key of ['schedules', 'content']) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  const whenOf = (at: string) => dayAndTime(at, workspace.data?.timezone ?? 'UTC');
  const slotOf = ({ id, appId, result, experimentId }: Content) => {
    const to = going.find(item => item.id === id);
    const { takers, accounts: own } = groupOf(appId)!;
    if (!to) {
      if (takers.length > 0)
        return own.length === 0 ? words.notChosen : words[experimentId ? 'noAccount' : 'noTime'];
      return (
        <>
          {words.noSlots}{' '}
          <Link to="/accounts" className="font-semibold underline underline-offset-4 pointer-coarse:py-2.5">
            {texts.screens.accounts}
          </Link>
        </>
      );
    }
    if (confirmed) return texts.common.nextSlot(whenOf(times.get(id) ?? to.at), shortName(to.account));
    const others = new Set(
      going.flatMap(({ id: other, isWish, account, at }) =>
        isWish && other !== id ? slotKey(account.id, at) : [],
      ),
    );
    return (
      <>
        {shortName(to.account)}
        <Select
          label={words.timeOf(result?.hook ?? workTexts.posts.untitled)}
          isLabelHidden
          value={slotKey(to.account.id, to.at)}
          onValue={value => setWishes(before => new Map([...before, [id, value]]))}
        >
          {free.get(to.account.id)?.map(at => {
            const key = slotKey(to.account.id, at);
            return (
              !others.has(key) && (
                <option key={key} value={key}>
                  {whenOf(at)}
                </option>
              )
            );
          })}
        </Select>
      </>
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
                <div className="grid min-w-0 flex-1 gap-1">
                  <p dir="auto" className="font-medium">
                    {deck.result?.hook ?? workTexts.posts.untitled}
                  </p>
                  <div className="text-sm text-soft">{slotOf(deck)}</div>
                  {refused.has(deck.id) && <p className="text-sm text-float-ink">{refused.get(deck.id)}</p>}
                </div>
                {confirmed === null && decks.length > 1 && (
                  <Button
                    tone="quiet"
                    className="!px-2.5"
                    aria-label={words.leaveOut(deck.result?.hook ?? workTexts.posts.untitled)}
                    onClick={() => setLeftOut(before => new Set([...before, deck.id]))}
                    icon={<Icon name="cross" />}
                  />
                )}
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
