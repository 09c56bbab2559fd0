import { useState } from 'react';
import { api } from '../../api.ts';
import { nameFromLink } from '../../rules/store-link.ts';
import { workTexts } from '../../texts/work.ts';
import type { App, Content, One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Loading } from '../../ui/Progress.tsx';
import { useAction } from '../../ui/useAction.ts';

/** The first run: a store link becomes an app, the app a deck, and the deck waits on Approve. */
export function Guide() {
  const words = workTexts.guide;
  const [link, setLink] = useState('');
  const [name, setName] = useState<string | null>(null);
  const shownName = name ?? nameFromLink(link);
  const makeDeck = useAction(
    (app: App, key) =>
      api.post<One<Content>>(
        '/content',
        { appId: app.id, type: 'slideshow', brief: { templateId: 'quote-card' } },
        { key },
      ),
    { changes: ['content', 'apps', 'credits'] },
  );
  const addApp = useAction(
    (given: { name: string; appStoreUrl: string }, key) => api.post<One<App>>('/apps', given, { key }),
    { onDone: ({ data }) => makeDeck.mutate(data) },
  );
  const app = addApp.data?.data;
  const steps = Object.values(words.steps);
  const at = app ? 1 : 0;

  return (
    <div className="mx-auto grid max-w-xl gap-6 py-4">
      <div className="grid gap-1">
        <h2 className="text-2xl">{words.title}</h2>
        <p className="text-soft">{words.lead}</p>
      </div>
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === at ? 'step' : undefined}
            className={`grid gap-3 rounded-card border p-4 ${index === at ? 'border-deep bg-sheet dark:border-edge' : 'border-line'}`}
          >
            <p className="flex items-center gap-3 font-semibold">
              <span
                className={`grid size-8 place-items-center rounded-full font-display ${index < at ? 'bg-go text-on-go' : index === at ? 'bg-deep text-on-deep dark:bg-line' : 'bg-well text-soft'}`}
              >
                {index < at ? '✓' : index + 1}
              </span>
              {step}
            </p>
            {index === 0 && at === 0 && (
              <form
                className="grid gap-4"
                onSubmit={event => {
                  event.preventDefault();
                  addApp.mutate({ name: shownName, appStoreUrl: link.trim() });
                }}
              >
                <Field
                  label={words.storeLink}
                  hint={words.storeLinkHint}
                  type="url"
                  inputMode="url"
                  required
                  placeholder="https://apps.apple.com/app/…"
                  value={link}
                  onChange={event => setLink(event.target.value)}
                />
                <Field
                  label={words.appName}
                  required
                  maxLength={200}
                  value={shownName}
                  onChange={event => setName(event.target.value)}
                />
                {addApp.error && <ErrorBox error={addApp.error} />}
                {addApp.isPending && <Loading label={words.reading} />}
                <Button type="submit" tone="primary" size="large" busy={addApp.isPending}>
                  {words.create}
                </Button>
              </form>
            )}
            {index === 1 && at === 1 && app && (
              <>
                {makeDeck.isPending && <Loading label={words.writing} />}
                {makeDeck.error && <ErrorBox error={makeDeck.error} onRetry={() => makeDeck.mutate(app)} />}
                <p className="text-sm text-soft">{words.costs}</p>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
