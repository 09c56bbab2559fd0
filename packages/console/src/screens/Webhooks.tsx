import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { OwnersOnly } from '../manage/OwnersOnly.tsx';
import {
  type Attempt,
  type Delivery,
  deliveryList,
  type Webhook,
  type WebhookWithSecret,
  webhookList,
} from '../manage/queries.ts';
import { SecretDialog } from '../manage/Secret.tsx';
import { readable } from '../manage/text.ts';
import { useMe } from '../me.ts';
import { workspaceQuery } from '../queries.ts';
import { dayMs } from '../rules/durations.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { One } from '../types.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Checkbox, Field, Group } from '../ui/Field.tsx';
import { FormFoot } from '../ui/FormActions.tsx';
import { List } from '../ui/List.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Menu } from '../ui/Menu.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Shown } from '../ui/Shown.tsx';
import { inZone, TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { fromLocal, toLocal } from '../zone.ts';

const words = manageTexts.webhooks;
const eventTypes = Object.keys(manageTexts.events.names);
const tones: Readonly<Record<Delivery['status'], BadgeTone>> = {
  pending: 'wait',
  delivered: 'good',
  failed: 'bad',
};

export function Webhooks() {
  const { isOwner } = useMe();
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null);
  return (
    <Screen
      name={texts.screens.webhooks}
      lead={words.lead}
      actions={
        isOwner && (
          <Button tone="primary" onClick={() => setNew(true)}>
            {words.new}
          </Button>
        )
      }
    >
      <OwnersOnly what={words.ownerOnly}>
        <Endpoints onSecret={setSecret} />
      </OwnersOnly>
      {isNew && (
        <NewEndpoint
          onClose={() => setNew(false)}
          onCreated={created => {
            setNew(false);
            setSecret(created);
          }}
        />
      )}
      {secret &&
        (secret.secret ? (
          <SecretDialog
            title={words.secretTitle}
            lead={words.secretLead}
            secret={secret.secret}
            onClose={() => setSecret(null)}
          />
        ) : (
          <Dialog title={words.secretTitle} onClose={() => setSecret(null)}>
            <p>{words.noSecret}</p>
          </Dialog>
        ))}
    </Screen>
  );
}

function Endpoints({ onSecret }: { onSecret: (webhook: WebhookWithSecret) => void }) {
  const list = useInfiniteQuery(webhookList);
  return (
    <List
      query={list}
      label={words.list}
      empty={
        <EmptyState icon="webhooks" title={words.empty}>
          <p>{words.emptyBody}</p>
        </EmptyState>
      }
      row={webhook => <Endpoint webhook={webhook} onSecret={onSecret} />}
    />
  );
}

type NewProps = { onClose: () => void; onCreated: (webhook: WebhookWithSecret) => void };

function NewEndpoint({ onClose, onCreated }: NewProps) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly string[]>(eventTypes);
  const create = useAction(
    (body: { url: string; events: readonly string[] }, key) =>
      api.post<One<WebhookWithSecret>>('/webhooks', body, { key }),
    { changes: ['webhooks'], onDone: ({ data }) => onCreated(data) },
  );
  const submit = () => create.mutate({ url: url.trim(), events });
  return (
    <Dialog title={words.newTitle} onClose={onClose}>
      <ScriptForm onSubmit={submit}>
        <Field
          label={words.url}
          hint={words.urlHint}
          type="url"
          required
          autoComplete="off"
          placeholder="https://"
          value={url}
          onValue={setUrl}
        />
        <Group legend={words.events}>
          {eventTypes.map(type => (
            <Checkbox
              key={type}
              label={manageTexts.events.names[type] ?? type}
              hint={<code className="font-mono text-xs">{type}</code>}
              checked={events.includes(type)}
              onChange={event =>
                setEvents(event.target.checked ? [...events, type] : events.filter(given => given !== type))
              }
            />
          ))}
        </Group>
        <FormFoot
          label={texts.common.create}
          action={create}
          disabled={events.length === 0}
          onCancel={onClose}
        />
      </ScriptForm>
    </Dialog>
  );
}

type EndpointProps = { webhook: Webhook; onSecret: (webhook: WebhookWithSecret) => void };

function Endpoint({ webhook, onSecret }: EndpointProps) {
  const path = `/webhooks/${webhook.id}`;
  const [asks, setAsks] = useState<'delete' | 'rotate' | 'since' | null>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setAsks(null);
  const test = useAction((_: undefined, key) => api.post<One<Attempt>>(`${path}/test`, undefined, { key }), {
    onDone: ({ data }) =>
      showToast(
        data.error === null
          ? { text: words.testOk(data.responseStatus, data.durationMs) }
          : { text: words.testFailed(data.error), tone: 'problem' },
      ),
  });
  const change = useAction((status: string) => api.patch(path, { status }), { changes: ['webhooks'] });
  const rotate = useAction(
    (_: undefined, key) => api.post<One<WebhookWithSecret>>(`${path}/rotate`, undefined, { key }),
    {
      changes: ['webhooks'],
      onDone: ({ data }) => {
        close();
        onSecret(data);
      },
    },
  );
  const remove = useAction(() => api.delete(path), { changes: ['webhooks'], onDone: close });
  const isEnabled = webhook.status === 'enabled';
  const failed = test.error ?? change.error;
  return (
    <article aria-label={webhook.url} className="grid gap-3 p-4">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <h2 className="min-w-0 font-mono text-sm font-semibold">{webhook.url}</h2>
          <Badge tone={isEnabled ? 'good' : 'bad'}>{isEnabled ? words.enabled : words.disabled}</Badge>
        </div>
        <Menu
          of={webhook.url}
          items={[
            { label: words.test, onPress: () => test.mutate(undefined), isDisabled: test.isPending },
            { label: words.since, onPress: () => setAsks('since') },
            { label: words.rotate, onPress: () => setAsks('rotate') },
            {
              label: isEnabled ? words.disable : words.enable,
              onPress: () => change.mutate(isEnabled ? 'disabled' : 'enabled'),
              isDisabled: change.isPending,
            },
            { label: manageTexts.manage.delete, onPress: () => setAsks('delete') },
          ]}
        />
      </div>
      {webhook.disabledReason && <p className="text-sm text-float-ink">{inZone(webhook.disabledReason)}</p>}
      <p className="text-sm text-soft">
        {webhook.events.map(type => manageTexts.events.names[type] ?? type).join(' · ')}
      </p>
      {failed && <ErrorBox error={failed} />}
      <div>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.deliveries}
        </Button>
      </div>
      {isOpen && <Deliveries webhook={webhook} />}
      {asks === 'rotate' && (
        <ConfirmDialog
          title={words.rotateTitle}
          confirm={words.rotate}
          action={rotate}
          onConfirm={() => rotate.mutate(undefined)}
          onClose={close}
        >
          <p>{words.rotateBody}</p>
        </ConfirmDialog>
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirm={manageTexts.manage.delete}
          action={remove}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
      {asks === 'since' && <ReplaySince webhook={webhook} onClose={close} />}
    </article>
  );
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const query = useInfiniteQuery(deliveryList(webhook.id));
  return (
    <List
      query={query}
      label={words.deliveries}
      empty={<p className="text-soft">{words.deliveriesEmpty}</p>}
      row={delivery => <DeliveryRow delivery={delivery} />}
    />
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const replay = useAction(
    (_: undefined, key) =>
      api.post(`/webhooks/${delivery.webhookId}/deliveries/${delivery.id}/replay`, undefined, { key }),
    { changes: ['webhooks'], onDone: () => showToast({ text: words.replayed }) },
  );
  const last = delivery.attempts.at(-1);
  return (
    <div className="grid gap-2 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-60 gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <p className="font-semibold">
              {manageTexts.events.names[delivery.eventType] ?? delivery.eventType}
            </p>
            <Badge tone={tones[delivery.status]}>{words.statuses[delivery.status]}</Badge>
          </div>
          <p className="text-sm text-soft">
            <TimeInZone at={delivery.createdAt} /> · {words.attempts(delivery.attempts.length)}
            {last && ` · ${last.responseStatus ?? words.noAnswer}`}
            {delivery.nextAttemptAt && (
              <>
                {' · '}
                {words.nextAttempt} <TimeInZone at={delivery.nextAttemptAt} isRelative />
              </>
            )}
          </p>
        </div>
        <Button size="small" busy={replay.isPending} onClick={() => replay.mutate(undefined)}>
          {words.replay}
        </Button>
      </div>
      {replay.error && <ErrorBox error={replay.error} />}
      <details className="text-sm">
        <summary className="text-soft">{manageTexts.manage.details}</summary>
        <div className="mt-2 grid gap-3">
          <ol className="grid gap-1">
            {delivery.attempts.map(({ at, responseStatus, durationMs, error }) => (
              <li key={at}>
                <TimeInZone at={at} />: {responseStatus ?? words.noAnswer}, {durationMs} ms
                {error ? `, ${error}` : ''}
              </li>
            ))}
          </ol>
          <p className="text-soft">
            {words.event} <code className="font-mono text-xs">{delivery.eventId}</code>
          </p>
          <Block name={words.request} value={delivery.request} />
          <Block name={words.firstBytes} value={delivery.response} />
        </div>
      </details>
    </div>
  );
}

function Block({ name, value }: { name: string; value: unknown }) {
  const text = readable(value);
  if (text === '') return null;
  return (
    <div className="grid gap-1">
      <p className="font-semibold">{name}</p>
      <section aria-label={name} tabIndex={0} className="max-h-72 overflow-auto rounded-control bg-well p-3">
        <pre className="font-mono text-xs whitespace-pre-wrap">{text}</pre>
      </section>
    </div>
  );
}

type ReplayProps = { webhook: Webhook; onClose: () => void };

function ReplaySince(props: ReplayProps) {
  const workspace = useQuery(workspaceQuery);
  if (workspace.data) return <ReplayForm {...props} zone={workspace.data.timezone} />;
  return (
    <Dialog
      title={words.sinceTitle}
      onClose={props.onClose}
      actions={<Button onClick={props.onClose}>{texts.common.cancel}</Button>}
    >
      <Shown query={workspace}>{() => null}</Shown>
    </Dialog>
  );
}

function ReplayForm({ webhook, zone, onClose }: ReplayProps & { zone: string }) {
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - dayMs).toISOString(), zone));
  const at = fromLocal(since, zone);
  const replay = useAction(
    (body: { since: string }, key) =>
      api.post<One<{ replayed: number }>>(`/webhooks/${webhook.id}/replay`, body, { key }),
    {
      changes: ['webhooks'],
      onDone: ({ data }) => {
        onClose();
        showToast({ text: words.sinceDone(data.replayed) });
      },
    },
  );
  return (
    <ConfirmDialog
      title={words.sinceTitle}
      confirm={words.replay}
      tone="primary"
      action={replay}
      isReady={at !== null}
      onConfirm={() => at !== null && replay.mutate({ since: at })}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>{words.sinceBody}</p>
        <LocalTime
          label={words.sinceField}
          hint={texts.common.timesIn(zone)}
          value={since}
          onChange={setSince}
        />
      </div>
    </ConfirmDialog>
  );
}
