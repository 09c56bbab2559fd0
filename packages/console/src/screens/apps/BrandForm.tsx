import { useState } from 'react';
import { api } from '../../api.ts';
import { brandChanges, brandDraftOf } from '../../rules/brand.ts';
import { fieldErrors } from '../../rules/field-error.ts';
import { manageTexts } from '../../texts/manage.ts';
import { workTexts } from '../../texts/work.ts';
import type { App, One } from '../../types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Checkbox, Field, Select, TextArea } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.brand;
const items = workTexts.appReview.items;

type Item = NonNullable<App['unreviewed']>[number]['item'];

/** How the decks of an app look and what they never say. */
export function BrandForm({ app }: { app: App }) {
  // The form compares with the brand that it opened with, because somebody else may change it since.
  const [begun, setBegun] = useState(app);
  const [name, setName] = useState(app.name);
  const [draft, setDraft] = useState(() => brandDraftOf(app.brand));
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const save = useAction((body: object) => api.patch<One<App>>(`/apps/${app.id}`, body), {
    changes: ['apps', 'content'],
    onDone: ({ data }) => {
      setBegun(data);
      setName(data.name);
      setDraft(brandDraftOf(data.brand));
      showToast({ text: words.saved });
    },
  });
  const brand = brandChanges(brandDraftOf(begun.brand), draft);
  const isRenamed = name.trim() !== begun.name;
  const submit = () =>
    save.mutate({ ...(isRenamed ? { name: name.trim() } : {}), ...(brand ? { brand } : {}) });
  const mark = (item: Item) =>
    app.unreviewed?.some(mark => mark.item === item) && (
      <Badge tone="warn">{manageTexts.pictures.unreviewed}</Badge>
    );
  const errors = fieldErrors(save.error, {
    name: items.name,
    'brand.colors': items['brand.colors'],
    'brand.handle': items['brand.handle'],
    'brand.avoidWords': items['brand.avoidWords'],
  });
  return (
    <Card title={words.title}>
      <ScriptForm onSubmit={submit} className="grid gap-4 sm:max-lg:grid-cols-2">
        <Field
          label={items.name}
          hint={mark('name')}
          error={errors.name}
          required
          maxLength={200}
          value={name}
          onValue={setName}
        />
        <Field
          label={items['brand.handle']}
          hint={mark('brand.handle') || words.handleHint}
          error={errors['brand.handle']}
          isOptional
          maxLength={50}
          placeholder="@"
          value={draft.handle}
          onValue={handle => change({ handle })}
        />
        <div className="grid content-start gap-3">
          <Checkbox
            label={words.ownColors}
            hint={mark('brand.colors') || words.colorsHint}
            checked={draft.hasColors}
            onCheck={hasColors => change({ hasColors })}
          />
          {draft.hasColors && (
            <div className="grid grid-cols-2 gap-3">
              <Field
                label={words.background}
                type="color"
                value={draft.background}
                onValue={background => change({ background })}
              />
              <Field
                label={words.accent}
                type="color"
                value={draft.accent}
                onValue={accent => change({ accent })}
              />
            </div>
          )}
          {errors['brand.colors'] && (
            <p role="alert" className="text-sm font-medium text-float-ink">
              {errors['brand.colors']}
            </p>
          )}
        </div>
        <Select
          label={items['brand.fonts']}
          hint={mark('brand.fonts')}
          value={draft.fonts ?? ''}
          onValue={value => change({ fonts: value as typeof draft.fonts })}
          none={words.anyFonts}
          options={Object.entries(words.fonts)}
        />
        <div className="sm:max-lg:col-span-2">
          <TextArea
            label={items['brand.avoidWords']}
            hint={mark('brand.avoidWords') || words.avoidHint}
            error={errors['brand.avoidWords']}
            isOptional
            value={draft.avoidWords}
            onValue={avoidWords => change({ avoidWords })}
          />
        </div>
        <div className="grid gap-4 sm:max-lg:col-span-2">
          <FormActions
            action={save}
            error={Object.keys(errors).length === 0 ? save.error : null}
            disabled={!isRenamed && !brand}
          />
        </div>
      </ScriptForm>
    </Card>
  );
}
