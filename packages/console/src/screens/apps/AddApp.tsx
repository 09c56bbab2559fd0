import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { fieldErrors } from '../../rules/field-error.ts';
import { nameFromLink } from '../../rules/store-link.ts';
import { topicLines } from '../../rules/topic-lines.ts';
import { manageTexts } from '../../texts/manage.ts';
import { workTexts } from '../../texts/work.ts';
import type { App, One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { bound } from '../../ui/bound.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.apps;

/** An app from its store page, or from a listing that is given by hand. */
export function AddApp({ children }: { children?: ReactNode }) {
  const navigate = useNavigate();
  const [from, setFrom] = useState<keyof typeof words.sources>('store');
  const [draft, setDraft] = useState({ link: '', name: '', description: '', features: '' });
  const text = bound(draft, part => setDraft(before => ({ ...before, ...part })));
  const [nameError, setNameError] = useState<string | null>(null);
  const create = useAction((body: object, key) => api.post<One<App>>('/apps', body, { key }), {
    changes: ['apps'],
    onDone: ({ data }) => {
      showToast({ text: words.added });
      void navigate({ to: '/apps/$appId', params: { appId: data.id } });
    },
  });
  const submit = () => {
    const { description, features } = draft;
    const link = draft.link.trim();
    const given = draft.name.trim() || (from === 'store' ? nameFromLink(link) : '');
    setNameError(given === '' ? words.noName[from] : null);
    if (given === '') return;
    const listing = { name: given, description: description.trim(), features: topicLines(features) };
    create.mutate(from === 'store' ? { name: given, appStoreUrl: link } : { listing });
  };
  const errors = fieldErrors(create.error, {
    appStoreUrl: words.storeLink,
    name: words.name,
    'listing.name': words.name,
    'listing.description': words.description,
    'listing.features': words.features,
  });
  return (
    <ScriptForm onSubmit={submit}>
      <Pills label={words.source} name="source" names={words.sources} value={from} onChange={setFrom} />
      {from === 'store' && (
        <Field
          label={words.storeLink}
          hint={words.storeLinkHint}
          error={errors.appStoreUrl && workTexts.guide.noApp}
          type="url"
          inputMode="url"
          required
          autoComplete="off"
          placeholder="https://apps.apple.com/…"
          {...text('link')}
        />
      )}
      <Field
        label={words.name}
        hint={from === 'store' && words.nameHint}
        error={nameError ?? errors.name ?? errors['listing.name']}
        isOptional={from === 'store'}
        maxLength={200}
        autoComplete="off"
        {...text('name')}
      />
      {from === 'hand' && (
        <>
          <TextArea
            label={words.description}
            hint={words.descriptionHint}
            error={errors['listing.description']}
            required
            rows={5}
            maxLength={10_000}
            {...text('description')}
          />
          <TextArea
            label={words.features}
            hint={words.featuresHint}
            error={errors['listing.features']}
            isOptional
            {...text('features')}
          />
        </>
      )}
      {create.error && Object.keys(errors).length === 0 && <ErrorBox error={create.error} />}
      <div className="flex flex-wrap gap-2.5">
        {children}
        <Button type="submit" tone="primary" busy={create.isPending}>
          {words.create}
        </Button>
      </div>
    </ScriptForm>
  );
}
