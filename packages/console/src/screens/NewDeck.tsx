import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api.ts';
import { keepDraft, readDraft } from '../drafts.ts';
import { readChoice, writeChoice } from '../flags.ts';
import { appQuery, textModelQuery } from '../manage/queries.ts';
import { TemplatePicker, useTemplate } from '../manage/TemplatePicker.tsx';
import { appsQuery, creditsQuery, useIsMetered } from '../queries.ts';
import { fieldErrors } from '../rules/field-error.ts';
import { blankDraft, briefOf, type DraftChange, type NewDeckDraft } from '../rules/new-deck.ts';
import { newDeckTexts as words } from '../texts/new-deck.ts';
import { texts } from '../texts/shell.ts';
import type { App, Content, One } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, Foot } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Select } from '../ui/Field.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Shown } from '../ui/Shown.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { About } from './new-deck/About.tsx';
import { useList } from './new-deck/useList.ts';

const kept = 'new-deck';
const sent = 'new-deck sent';

/** The sheet of a new deck. @param askedId the app that the address names, or `deck` */
export function NewDeck({ askedId }: { askedId: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const close = () => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: '.', search: ({ new: _, ...rest }: { new?: string }) => rest, replace: true });
  };
  return (
    // The draft is kept, so every way to close it is safe.
    <Dialog title={texts.nav.newDeck} onClose={close} size="wide" backCloses={false} byButtonOnly={false}>
      <Shown query={useQuery(appsQuery)}>
        {apps =>
          apps[0] === undefined ? (
            <EmptyState icon="apps" title={words.noApp}>
              <p>
                <Link to="/apps" className="font-semibold underline underline-offset-2">
                  {words.addApp}
                </Link>
              </p>
            </EmptyState>
          ) : (
            <Form apps={apps} first={apps[0]} askedId={askedId} onClose={close} />
          )
        }
      </Shown>
    </Dialog>
  );
}

type FormProps = { apps: readonly App[]; first: App; askedId: string; onClose: () => void };

function Form({ apps, first, askedId, onClose }: FormProps) {
  const [draft, setDraft] = useState<NewDeckDraft>(() => ({
    ...blankDraft,
    ...readDraft<NewDeckDraft>(kept),
    ...(askedId === 'deck' ? {} : { appId: askedId }),
  }));
  const change = (part: DraftChange) =>
    setDraft(before => {
      const next = { ...before, ...(typeof part === 'function' ? part(before) : part) };
      keepDraft(kept, next);
      return next;
    });
  const wanted = [draft.appId, readChoice('app')];
  const appId = wanted.find(id => apps.some(app => app.id === id)) ?? first.id;
  const app = useQuery(appQuery(appId)).data;
  const template = useTemplate(app, [draft.templateId, readChoice('template')]);
  const credits = useQuery(creditsQuery).data;
  const isMetered = useIsMetered();
  const isTopic = draft.about === 'topic';
  const model = useQuery({ ...textModelQuery, enabled: isTopic }).data;
  const lacksModel = isTopic && model?.source === 'none';
  const { make, failed } = useMake();
  const isList = draft.about === 'list';
  const isPictures = draft.about === 'pictures';
  const discard = () => {
    keepDraft(kept, null);
    onClose();
  };
  const list = useList(discard);
  const submit = () => {
    writeChoice('app', appId);
    if (draft.templateId !== undefined) writeChoice('template', template.id);
    if (isList) return list.send(draft.list, appId, template.id);
    make.mutate({ appId, type: 'slideshow', brief: briefOf(draft, template.id) });
  };
  const ofDeck = fieldErrors(make.error, {
    appId: words.app,
    'brief.topic': words.topic,
    'brief.hook': draft.about === 'texts' ? words.lines : isPictures ? words.deckName : words.hook,
    'brief.pictureIds': words.ownSlides,
    'brief.slides': texts.approve.slides,
    'brief.closing': words.closing,
    'brief.slideCount': words.length,
  });
  const errors = isList ? { items: list.refusal } : ofDeck;
  const isAtField = Object.values(errors).some(error => error !== '');
  const problem = isList ? list.problem : (failed ?? (isAtField ? null : make.error));
  const isPending = isList ? list.isPending : make.isPending;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isAtField) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [isAtField]);
  return (
    <ScriptForm ref={form} onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Select
        label={words.app}
        error={ofDeck.appId}
        value={appId}
        onValue={value => change({ appId: value, pictures: [] })}
        options={apps.map(({ id, name }) => [id, name])}
      />
      <About draft={draft} change={change} errors={errors} appId={appId} hooks={app?.seedHooks ?? []} />
      {!isPictures && (
        <TemplatePicker
          value={template.id}
          appId={appId}
          hasPictures={template.hasPictures}
          onChange={templateId => change({ templateId })}
        />
      )}
      {draft.about !== 'texts' && !isPictures && !isList && (
        <Select
          label={words.length}
          error={ofDeck['brief.slideCount']}
          value={draft.slideCount}
          onValue={slideCount => change({ slideCount })}
          none={words.anyLength}
          options={[2, 3, 4, 5, 6, 7, 8, 9, 10].map(count => [count, words.slides(count)])}
        />
      )}
      <Foot>
        {problem && (
          <div className="basis-full">
            <ErrorBox error={problem} />
          </div>
        )}
        <p role="status" className="basis-full text-sm text-soft sm:flex-1 sm:basis-0">
          {isPending
            ? isList
              ? words.sending
              : words.making
            : credits &&
              isMetered &&
              `${isList ? words.listCosts : words.costs} · ${words.left(credits.balance)}`}
        </p>
        <Button onClick={discard}>{texts.common.cancel}</Button>
        <Button type="submit" tone="primary" busy={isPending}>
          {isList ? words.makeList : lacksModel ? words.makeAboutApp : words.make}
        </Button>
      </Foot>
    </ScriptForm>
  );
}

/** Opens the deck where it is decided on; a sheet that was closed meanwhile says so instead. */
function useMake() {
  const navigate = useNavigate();
  const isOpen = useRef(false);
  // A page that is loaded again while a deck is made repeats that request.
  const left = useRef(readDraft<{ body: string; key: string }>(sent));
  const settle = () => {
    left.current = null;
    keepDraft(sent, null);
  };
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      settle();
    };
  }, []);
  const send = (given: object, newKey: string) => {
    const body = JSON.stringify(given);
    const key = left.current?.body === body ? left.current.key : newKey;
    keepDraft(sent, { body, key });
    return api.post<One<Content>>('/content', given, { key });
  };
  const make = useAction(send, {
    changes: ['content', 'credits'],
    onDone: ({ data }) => {
      settle();
      if (data.status === 'failed') return;
      keepDraft(kept, null);
      const look = () => void navigate({ to: '/approve', search: { deck: data.id } });
      if (isOpen.current) look();
      else showToast({ text: words.made, forMs: 10_000, actions: [{ label: words.look, onPress: look }] });
    },
  });
  const made = make.data?.data;
  const reason = made?.error?.message ?? (made?.notice && texts.approve.notices[made.notice]);
  return { make, failed: made?.status === 'failed' ? new Error(reason ?? words.failed) : null };
}
