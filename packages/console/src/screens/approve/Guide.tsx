import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useMe } from '../../me.ts';
import { useIsMetered } from '../../queries.ts';
import { fieldErrors } from '../../rules/field-error.ts';
import { nameFromLink } from '../../rules/store-link.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { App, Content, One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Loading } from '../../ui/Progress.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = workTexts.guide;

type GuideStep = keyof typeof words.steps;

const order = Object.keys(words.steps) as GuideStep[];

type Props = {
  done: Readonly<Record<GuideStep, boolean>>;
  app: App | undefined;
  /** The approved deck. */
  deckId: string | undefined;
};

/**
 * The first run: a store link becomes an app, the app a deck; the deck is approved, an account
 * connected, a time chosen.
 */
export function Guide({ done, app, deckId }: Props) {
  const navigate = useNavigate();
  const { isOwner, canEdit, role } = useMe();
  const isMetered = useIsMetered();
  const makeDeck = useAction(
    ({ id }: { id: string }, key) =>
      api.post<One<Content>>(
        '/content',
        { appId: id, type: 'slideshow', brief: { templateId: 'quote-card' } },
        { key },
      ),
    { changes: ['content', 'credits'] },
  );
  const addApp = useAction(
    (given: { name: string; appStoreUrl: string }, key) => api.post<One<App>>('/apps', given, { key }),
    { changes: ['apps'], onDone: ({ data }) => makeDeck.mutate({ id: data.id }) },
  );
  const connect = useAction(
    (returnTo: string, key) =>
      api.post<One<{ authorizeUrl: string }>>('/accounts/tiktok/connect', { returnTo }, { key }),
    { onDone: ({ data }) => location.assign(data.authorizeUrl) },
  );
  const made = addApp.data?.data ?? app;
  const notMade = makeDeck.error ?? makeDeck.data?.data.error?.message;
  const isDone = (step: GuideStep) => done[step] || (step === 'link' && addApp.isSuccess);
  const at = order.findIndex(step => !isDone(step));

  const lacks = <p className="text-sm text-soft">{texts.common.roleLacks(role, words.makeDecks)}</p>;
  const forms: Readonly<Record<GuideStep, React.ReactNode>> = {
    link: canEdit ? <LinkForm action={addApp} /> : lacks,
    deck: canEdit ? (
      <>
        {makeDeck.isPending && <Loading label={words.writing} />}
        {notMade && <ErrorBox error={notMade} />}
        {!makeDeck.isPending && made && (
          <Button tone="primary" size="large" onClick={() => makeDeck.mutate({ id: made.id })}>
            {words.makeDeck}
          </Button>
        )}
        {isMetered && <p className="text-sm text-soft">{words.costs}</p>}
      </>
    ) : (
      lacks
    ),
    approve: null,
    connect: (
      <>
        {connect.error && <ErrorBox error={connect.error} />}
        {!isOwner && <p className="text-sm text-soft">{words.ownersConnect}</p>}
        <Button
          tone="primary"
          size="large"
          disabled={!isOwner}
          busy={connect.isPending}
          onClick={() => connect.mutate('/console/approve')}
        >
          {words.connect}
        </Button>
      </>
    ),
    schedule: deckId && (
      <Button
        tone="primary"
        size="large"
        onClick={() => void navigate({ to: '/posts/$contentId', params: { contentId: deckId } })}
      >
        {words.toSchedule}
      </Button>
    ),
  };

  return (
    <div className="mx-auto grid max-w-xl gap-6 py-4">
      <div className="grid gap-1">
        <h2 className="text-2xl">{words.title}</h2>
        <p className="text-soft">{words.lead}</p>
      </div>
      <ol className="grid gap-3">
        {order.map((name, index) => (
          <li
            key={name}
            aria-current={index === at ? 'step' : undefined}
            className={`grid gap-3 rounded-card border p-4 ${index === at ? 'border-deep bg-sheet dark:border-edge' : 'border-line'}`}
          >
            <p className="flex items-center gap-3 font-semibold">
              <span
                className={`grid size-8 place-items-center rounded-full font-display ${isDone(name) ? 'bg-go text-on-go' : index === at ? 'bg-primary text-on-primary' : 'bg-well text-soft'}`}
              >
                {index + 1}
              </span>
              {words.steps[name]}
              {isDone(name) && <span className="text-sm font-normal text-soft">{words.done}</span>}
            </p>
            {index === at && forms[name]}
          </li>
        ))}
      </ol>
    </div>
  );
}

type AddApp = {
  mutate: (given: { name: string; appStoreUrl: string }) => void;
  isPending: boolean;
  error: Error | null;
};

function LinkForm({ action }: { action: AddApp }) {
  const [link, setLink] = useState('');
  const [name, setName] = useState<string | null>(null);
  const shownName = name ?? nameFromLink(link);
  const errors = fieldErrors(action.error, { appStoreUrl: words.storeLink, name: words.appName });
  return (
    <ScriptForm onSubmit={() => action.mutate({ name: shownName, appStoreUrl: link.trim() })}>
      <Field
        label={words.storeLink}
        hint={words.storeLinkHint}
        error={errors.appStoreUrl && words.noApp}
        type="url"
        inputMode="url"
        required
        placeholder="https://apps.apple.com/app/…"
        value={link}
        onValue={setLink}
      />
      <Field
        label={words.appName}
        error={errors.name}
        required
        maxLength={200}
        value={shownName}
        onValue={setName}
      />
      {action.error && Object.keys(errors).length === 0 && <ErrorBox error={action.error} />}
      {action.error && (
        <Link to="/apps" className="font-semibold underline underline-offset-4 pointer-coarse:py-2.5">
          {words.byHand}
        </Link>
      )}
      {action.isPending && <Loading label={words.reading} />}
      <Button type="submit" tone="primary" size="large" busy={action.isPending}>
        {words.create}
      </Button>
    </ScriptForm>
  );
}
