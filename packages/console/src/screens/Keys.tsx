import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api.ts';
import { type ApiKey, type ApiKeyWithSecret, keyList, type WorkOfKey, workOfKey } from '../manage/queries.ts';
import { SecretDialog } from '../manage/Secret.tsx';
import { type Preset, presets, scopesOf } from '../manage/scopes.ts';
import { useMe } from '../me.ts';
import { workspacesQuery } from '../queries.ts';
import { dayMs } from '../rules/durations.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { One } from '../types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Checkbox, Field, Group, Radio, Select } from '../ui/Field.tsx';
import { FormActions } from '../ui/FormActions.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';

const words = manageTexts.keys;

export function Keys() {
  const me = useMe();
  const list = useInfiniteQuery(keyList);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <Screen name={texts.screens.keys} lead={words.lead}>
      <List
        query={list}
        label={words.list}
        empty={<p className="text-soft">{words.empty}</p>}
        row={key => <KeyRow apiKey={key} onRevoke={() => setRevoking(key)} />}
      />
      {/* A key asks for the scopes of the role, which must be known for that. */}
      <Shown query={useQuery(workspacesQuery)}>
        {() =>
          me.canEdit ? (
            <NewKey />
          ) : (
            <p className="text-soft">{texts.common.roleLacks(me.role, words.viewer)}</p>
          )
        }
      </Shown>
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Screen>
  );
}

function NewKey() {
  const { role } = useMe();
  const [preset, setPreset] = useState<Preset>('agent');
  const [expiry, setExpiry] = useState<keyof typeof words.expiry>('never');
  const [shown, setShown] = useState<string | null>(null);
  const [name, setName] = useState('');
  /** When the form was first sent as it is: after a lost answer, the same request is sent again. */
  const firstSentMs = useRef<number | null>(null);
  const scopes = scopesOf(preset, role);
  const create = useAction(
    (body: { name: string; scopes: readonly string[]; expiresAt?: string }, key) =>
      api.post<One<ApiKeyWithSecret>>('/keys', body, { key }),
    {
      changes: ['keys'],
      onDone: ({ data }) => {
        setName('');
        firstSentMs.current = null;
        if (data.key) setShown(data.key);
        else showToast({ text: words.noKey(data.name), tone: 'problem', forMs: null });
      },
    },
  );
  const submit = () => {
    firstSentMs.current ??= Date.now();
    const expiresAt =
      expiry === 'never'
        ? {}
        : { expiresAt: new Date(firstSentMs.current + Number(expiry) * dayMs).toISOString() };
    create.mutate({ name: name.trim() || words.presets[preset][0], scopes, ...expiresAt });
  };
  return (
    <Card title={words.newTitle}>
      <ScriptForm
        onSubmit={submit}
        onChange={() => {
          firstSentMs.current = null;
        }}
        className="grid gap-4"
      >
        <Group legend={words.preset}>
          {presets.map(given => (
            <Radio
              key={given}
              name="preset"
              value={given}
              label={words.presets[given][0]}
              hint={words.presets[given][1]}
              checked={preset === given}
              onChange={() => setPreset(given)}
            />
          ))}
        </Group>
        <details className="text-sm">
          <summary className="font-medium">
            {words.scopes} ({scopes.length})
          </summary>
          <ul className="mt-2 grid gap-1 sm:grid-cols-2">
            {scopes.map(scope => (
              <li key={scope}>
                <code className="font-mono text-xs">{scope}</code>{' '}
                <span className="text-soft">{words.scopeNames[scope]}</span>
              </li>
            ))}
          </ul>
        </details>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={words.name}
            hint={words.nameHint}
            value={name}
            maxLength={200}
            autoComplete="off"
            onValue={setName}
          />
          <Select
            label={words.expires}
            value={expiry}
            onValue={value => setExpiry(value as keyof typeof words.expiry)}
            // Object keys that are numbers come first.
            options={Object.entries(words.expiry).sort(([a], [b]) =>
              a === 'never' ? -1 : b === 'never' ? 1 : 0,
            )}
          />
        </div>
        <FormActions label={texts.common.create} action={create} />
      </ScriptForm>
      {shown && (
        <SecretDialog
          title={words.shownTitle}
          lead={words.shownLead}
          secret={shown}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const isExpired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) < Date.now();
  const isLive = apiKey.revokedAt === null && !isExpired;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-sans text-base font-semibold">{apiKey.name}</h2>
          <Badge tone={isLive ? 'good' : 'quiet'}>
            {apiKey.revokedAt !== null ? words.revoked : isExpired ? words.expired : words.live}
          </Badge>
        </div>
        <p className="font-mono text-sm text-soft">{apiKey.prefix}…</p>
        <p className="text-sm">
          <span className="text-soft">{words.lastUsed}</span>{' '}
          {apiKey.lastUsedAt ? <TimeInZone at={apiKey.lastUsedAt} isRelative /> : manageTexts.manage.never}
          {apiKey.createdBy && (
            <>
              {' · '}
              <span className="text-soft">{words.by}</span>{' '}
              <span className="inline-block">{apiKey.createdBy.name}</span>
            </>
          )}
          {apiKey.expiresAt && apiKey.revokedAt === null && (
            <>
              {' · '}
              <span className="text-soft">{words.expires}</span> <TimeInZone at={apiKey.expiresAt} />
            </>
          )}
        </p>
        <details className="text-sm">
          <summary className="text-soft">
            {words.scopes} ({apiKey.scopes.length})
          </summary>
          <p className="mt-1 font-mono text-xs">{apiKey.scopes.join(' ')}</p>
        </details>
      </div>
      {(isLive || apiKey.revokedAt !== null) && (
        <Button onClick={onRevoke}>{isLive ? words.revoke : words.stopWork}</Button>
      )}
    </div>
  );
}

const noWork: WorkOfKey = { automations: [], webhooks: [], schedules: [], more: false };

// One call withdraws at most 100 waiting posts.
async function revokeWithWork(id: string): Promise<void> {
  for (let calls = 0; calls < 50; calls += 1) {
    const { data } = await api.delete<One<{ disabled?: { more: boolean } }>>(
      `/keys/${id}?withWhatItMade=true`,
    );
    if (!data.disabled?.more) return;
  }
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const work = useQuery(workOfKey(apiKey.id));
  const isRevoked = apiKey.revokedAt !== null;
  const [stops, setStops] = useState(isRevoked);
  const { automations, webhooks, schedules, more } = work.data ?? noWork;
  const running = automations.filter(({ status }) => status === 'active').length;
  const enabled = webhooks.filter(({ status }) => status === 'enabled').length;
  const revoke = useAction(() => (stops ? revokeWithWork(apiKey.id) : api.delete(`/keys/${apiKey.id}`)), {
    changes: stops ? ['keys', 'automations', 'webhooks', 'schedules'] : ['keys'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={isRevoked ? words.stopTitle(apiKey.name) : words.revokeTitle(apiKey.name)}
      confirm={isRevoked ? words.stopWork : words.revoke}
      action={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {!isRevoked && <p>{words.revokeBody}</p>}
      {isRevoked && work.isSuccess && running + enabled + schedules.length === 0 && <p>{words.noWork}</p>}
      {running + enabled + schedules.length > 0 && (
        <Checkbox
          label={words.workTitle}
          hint={words.work(running, enabled, `${schedules.length}${more ? '+' : ''}`)}
          checked={stops}
          onCheck={setStops}
        />
      )}
      {work.isError && <p className="text-soft">{words.workUnknown}</p>}
    </ConfirmDialog>
  );
}
