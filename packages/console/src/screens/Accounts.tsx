import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { accountList } from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { appsQuery } from '../queries.ts';
import { initialOf } from '../rules/account-name.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { Account, One } from '../types.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { FormActions } from '../ui/FormActions.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { Slots } from './accounts/Slots.tsx';

const words = manageTexts.accounts;
const tones: Readonly<Record<Account['status'], BadgeTone>> = {
  connected: 'good',
  needs_reauth: 'bad',
  disconnected: 'quiet',
};

export function Accounts() {
  const { isOwner } = useMe();
  const list = useInfiniteQuery(accountList);
  const [removing, setRemoving] = useState<Account | null>(null);
  const connect = useConnect();
  const apps = useQuery(appsQuery).data ?? [];
  return (
    <Screen name={texts.screens.accounts} lead={words.lead}>
      {connect.error && <ErrorBox error={connect.error} />}
      <List
        query={list}
        label={words.list}
        empty={
          <EmptyState icon="accounts" title={words.empty}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        }
        row={account => (
          <div className="flex gap-4 p-4">
            <span
              aria-hidden="true"
              className="grid size-12 shrink-0 place-items-center rounded-full bg-go-wash max-[18rem]:hidden font-display text-lg font-bold text-go-ink"
            >
              {initialOf(account.displayName)}
            </span>
            <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
              <div className="flex flex-wrap items-center gap-2">
                <h2 className="font-sans text-base font-semibold">{account.displayName}</h2>
                <Badge tone={tones[account.status]}>{words.statuses[account.status]}</Badge>
              </div>
              {account.username && <p className="text-sm text-soft">@{account.username}</p>}
              <p className="text-sm">
                {account.kind === 'phone'
                  ? words.isPhone
                  : account.status === 'connected'
                    ? account.canPublish
                      ? words.canPublish
                      : words.draftsOnly
                    : words.renewBody}
              </p>
              {apps.length > 1 && account.appId && (
                <p className="text-sm text-soft">
                  {words.forApp} {apps.find(({ id }) => id === account.appId)?.name}
                </p>
              )}
              {account.checkedAt && (
                <p className="text-sm text-soft">
                  {words.checked} <TimeInZone at={account.checkedAt} isRelative />
                </p>
              )}
              <Slots account={account}>
                {account.status !== 'connected' && (
                  <Button
                    tone="go"
                    size="small"
                    busy={connect.isPending}
                    onClick={() => connect.mutate({ appId: account.appId ?? '' })}
                  >
                    {words.renew}
                  </Button>
                )}
                {account.status !== 'disconnected' && (
                  <Button tone="quiet" size="small" onClick={() => setRemoving(account)}>
                    {words.remove}
                  </Button>
                )}
              </Slots>
            </div>
          </div>
        )}
      />
      {isOwner ? (
        <>
          <Connect />
          <AddPhone />
        </>
      ) : (
        <p className="text-soft">{words.ownerOnly}</p>
      )}
      {removing && <Remove account={removing} onClose={() => setRemoving(null)} />}
    </Screen>
  );
}

async function beginConnect({ appId }: { appId: string }, key: string) {
  const path = '/accounts/tiktok/connect';
  const body = appId === '' ? {} : { appId };
  type Begun = One<{ authorizeUrl: string }>;
  return await api.post<Begun>(path, { ...body, returnTo: '/console/accounts' }, { key });
}

/** Leaves for TikTok, which leads back to this screen. */
function useConnect() {
  return useAction(beginConnect, { onDone: ({ data }) => location.assign(data.authorizeUrl) });
}

function Connect() {
  const query = useQuery(appsQuery);
  const apps = query.data ?? [];
  const [appId, setAppId] = useState('');
  const connect = useConnect();
  const submit = () => connect.mutate({ appId });
  return (
    <Card title={words.connectTitle}>
      <ScriptForm onSubmit={submit}>
        <p className="text-soft">{words.connectLead}</p>
        <ReadError queries={[query]} />
        {apps.length > 1 && (
          <Select
            label={words.forApp}
            value={appId}
            onValue={setAppId}
            none={words.everyApp}
            options={apps.map(({ id, name }) => [id, name])}
          />
        )}
        <FormActions
          label={words.connect}
          action={{ error: connect.error, isPending: connect.isPending || connect.isSuccess }}
        />
      </ScriptForm>
    </Card>
  );
}

/** For everybody without an app that TikTok has audited. */
function AddPhone() {
  const [name, setName] = useState('');
  const add = useAction((given: { name: string }, key) => api.post('/accounts/phone', given, { key }), {
    changes: ['accounts'],
    onDone: () => {
      setName('');
      showToast({ text: words.phoneAdded });
    },
  });
  return (
    <Card title={words.phoneTitle}>
      <ScriptForm onSubmit={() => add.mutate({ name: name.trim() })}>
        <p className="text-soft">{words.phoneLead}</p>
        <Field label={words.phoneName} required maxLength={60} value={name} onValue={setName} />
        <FormActions label={words.phoneAdd} tone="plain" action={add} />
      </ScriptForm>
    </Card>
  );
}

function Remove({ account, onClose }: { account: Account; onClose: () => void }) {
  const remove = useAction(() => api.delete(`/accounts/${account.id}`), {
    changes: ['accounts', 'schedules'],
    onDone: () => {
      onClose();
      showToast({ text: words.removed });
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle(account.displayName)}
      confirm={words.remove}
      action={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.removeBody}</p>
    </ConfirmDialog>
  );
}
