import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { appList, appQuery } from '../manage/queries.ts';
import { TemplateSelect, useFittingTemplate } from '../manage/TemplateSelect.tsx';
import { useMe } from '../me.ts';
import { useIsMetered } from '../queries.ts';
import { nameFromLink } from '../rules/store-link.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { App, Content, One } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, Group, Radio, TextArea } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';

const words = manageTexts.apps;

export function Apps() {
  const { canEdit } = useMe();
  const list = useInfiniteQuery(appList);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = useQuery({ ...appQuery(openId ?? ''), enabled: openId !== null });
  if (openId !== null) {
    return (
      <Screen
        name={texts.screens.apps}
        actions={
          <Button onClick={() => setOpenId(null)} icon={<Icon name="back" />}>
            {words.all}
          </Button>
        }
      >
        <Shown query={open}>
          {app => <OneApp app={app} canEdit={canEdit} onGone={() => setOpenId(null)} />}
        </Shown>
      </Screen>
    );
  }
  return (
    <Screen name={texts.screens.apps} lead={words.lead}>
      {canEdit && <AddApp onAdded={setOpenId} />}
      <List
        query={list}
        label={words.list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="apps" title={words.empty}>
            <p>{words.emptyBody}</p>
          </EmptyState>
        }
        row={app => (
          <button
            type="button"
            onClick={() => setOpenId(app.id)}
            className="flex w-full items-center gap-3 p-4 text-start hover:bg-well"
          >
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span className="font-semibold">{app.name}</span>
              <span className="line-clamp-2 text-sm text-soft">{app.details}</span>
            </span>
            <Icon name="forward" className="text-soft" />
          </button>
        )}
      />
    </Screen>
  );
}

function AddApp({ onAdded }: { onAdded: (id: string) => void }) {
  const [link, setLink] = useState('');
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const create = useAction(
    (body: { name: string; appStoreUrl: string }, key) => api.post<One<App>>('/apps', body, { key }),
    {
      changes: ['apps'],
      onDone: ({ data }) => {
        showToast({ text: words.added });
        onAdded(data.id);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim() || nameFromLink(link.trim());
    setNameError(given === '' ? words.noName : null);
    if (given !== '') create.mutate({ name: given, appStoreUrl: link.trim() });
  };
  return (
    <Card>
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label={words.storeLink}
          hint={words.storeLinkHint}
          type="url"
          inputMode="url"
          required
          autoComplete="off"
          placeholder="https://apps.apple.com/…"
          value={link}
          onChange={event => setLink(event.target.value)}
        />
        <Field
          label={words.name}
          hint={words.nameHint}
          error={nameError}
          isOptional
          maxLength={200}
          autoComplete="off"
          value={name}
          onChange={event => setName(event.target.value)}
        />
        {create.error && <ErrorBox error={create.error} />}
        <div>
          <Button type="submit" tone="primary" busy={create.isPending}>
            {words.create}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function OneApp({ app, canEdit, onGone }: { app: App; canEdit: boolean; onGone: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  const refresh = useAction((_: undefined, key) => api.post(`/apps/${app.id}/refresh`, undefined, { key }), {
    changes: ['apps'],
    onDone: () => showToast({ text: words.refreshed }),
  });
  const remove = useAction(() => api.delete(`/apps/${app.id}`), { changes: ['apps'], onDone: onGone });
  return (
    <>
      <Card title={app.name}>
        <details>
          <summary className="min-h-6 text-sm text-soft">{words.about}</summary>
          <p className="mt-2 text-sm whitespace-pre-line">{app.details}</p>
        </details>
        <p className="text-sm text-soft">
          {words.updated} <TimeInZone at={app.updatedAt} isRelative />
        </p>
        {refresh.error && <ErrorBox error={refresh.error} />}
        {canEdit && (
          <div className="flex flex-wrap gap-2">
            <Button size="small" busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
              {words.refresh}
            </Button>
            <Button size="small" onClick={() => setDeleting(true)}>
              {manageTexts.manage.delete}
            </Button>
          </div>
        )}
      </Card>
      {canEdit && <MakeDeck app={app} />}
      {isDeleting && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirm={manageTexts.manage.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The part of a brief with given texts. */
function givenOf(lines: string, closing: string) {
  const [hook = '', ...slides] = lines
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  const last = closing.trim();
  return { hook, slides: slides.map(text => ({ text })), ...(last === '' ? {} : { closing: last }) };
}

function MakeDeck({ app }: { app: App }) {
  // Null: own texts.
  const [hook, setHook] = useState<string | null>('');
  const [own, setOwn] = useState({ lines: '', closing: '' });
  const [chosen, setTemplateId] = useState<string | null>(null);
  const fitting = useFittingTemplate(app);
  const templateId = chosen ?? fitting;
  const [made, setMade] = useState<Content | null>(null);
  const isMetered = useIsMetered();
  const make = useAction(
    (brief: object, key) =>
      api.post<One<Content>>('/content', { appId: app.id, type: 'slideshow', brief }, { key }),
    { changes: ['content', 'credits'], onDone: ({ data }) => setMade(data) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMade(null);
    const texts = hook === null ? givenOf(own.lines, own.closing) : hook === '' ? {} : { hook };
    make.mutate({ ...texts, ...(templateId === '' ? {} : { templateId }) });
  };
  const hooks = app.seedHooks ?? [];
  return (
    <Card title={words.makeTitle}>
      <form onSubmit={submit} className="grid gap-4">
        {isMetered && <p className="text-soft">{words.makeLead}</p>}
        <Group legend={words.hook}>
          <Radio
            name="hook"
            label={words.anyHook}
            hint={hooks.length === 0 ? words.noHooks : undefined}
            checked={hook === ''}
            onChange={() => setHook('')}
          />
          {hooks.map(given => (
            <Radio
              key={given}
              name="hook"
              label={given}
              checked={hook === given}
              onChange={() => setHook(given)}
            />
          ))}
          <Radio
            name="hook"
            label={words.ownTexts}
            hint={words.ownTextsHint}
            checked={hook === null}
            onChange={() => setHook(null)}
          />
        </Group>
        {hook === null && (
          <>
            <TextArea
              label={words.ownLines}
              hint={words.ownLinesHint}
              required
              rows={6}
              value={own.lines}
              onChange={event => setOwn({ ...own, lines: event.target.value })}
            />
            <Field
              label={words.ownClosing}
              isOptional
              maxLength={300}
              value={own.closing}
              onChange={event => setOwn({ ...own, closing: event.target.value })}
            />
          </>
        )}
        <TemplateSelect value={templateId} onChange={setTemplateId} />
        {make.error && <ErrorBox error={make.error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" tone="primary" busy={make.isPending}>
            {words.create}
          </Button>
          {make.isPending && (
            <p role="status" className="text-sm text-soft">
              {words.making}
            </p>
          )}
        </div>
        {made && (
          <p role="status" className="rounded-control bg-go-wash p-3 text-go-ink">
            {words.made}{' '}
            <Link to="/approve" search={{ deck: made.id }} className="font-semibold underline">
              {words.toDeck}
            </Link>
          </p>
        )}
      </form>
    </Card>
  );
}
