import type { TextModel as Model, TextModelTest } from '@hookline/shared/contracts/text-model';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { textModelQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import { queryClient } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import { texts } from '../../texts/shell.ts';
import type { One } from '../../types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Checkbox, Field, Select } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.textModel;
const path = '/workspace/text-model';
type Provider = NonNullable<Model['provider']>;
const local: readonly Provider[] = ['ollama', 'lmstudio', 'custom'];

const keep = ({ data }: One<Model>) => queryClient.setQueryData(textModelQuery.queryKey, data);

/** Which model writes the decks of the workspace. */
export function TextModel() {
  const { isOwner } = useMe();
  return (
    <Card title={words.title}>
      <Shown query={useQuery(textModelQuery)}>
        {model => (
          <div className="grid gap-5">
            <Now model={model} />
            <Learns model={model} />
            {isOwner ? (
              <Form key={`${model.source} ${model.provider} ${model.model} ${model.baseUrl}`} model={model} />
            ) : (
              <p className="text-sm text-soft">{manageTexts.settings.ownerOnly}</p>
            )}
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Now({ model }: { model: Model }) {
  const { isOwner } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const test = useAction(() => api.post<One<TextModelTest>>(`${path}/test`), { changes: ['text-model'] });
  const remove = useAction(() => api.delete<One<Model>>(path), {
    onDone: answer => {
      keep(answer);
      setRemoving(false);
      showToast({ text: words.removed });
    },
  });
  if (model.source === 'none') {
    return <p className="rounded-control bg-warn-wash p-3 text-warn-ink">{words.none}</p>;
  }
  const { lastTest } = model;
  return (
    <div className="grid gap-3">
      <p>
        <strong className="break-words">{model.model}</strong>{' '}
        {model.source === 'workspace' ? words.own(new URL(model.baseUrl ?? '').host) : words.shared}
      </p>
      {lastTest && (
        <div className="grid gap-1 rounded-control bg-well p-3">
          <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <Badge tone={lastTest.ok ? 'good' : 'bad'}>{lastTest.ok ? words.works : words.fails}</Badge>
            {words.took(lastTest.milliseconds)} · <TimeInZone at={lastTest.at} isRelative />
          </p>
          <p className="break-words">{lastTest.message}</p>
        </div>
      )}
      {test.error && <ErrorBox error={test.error} />}
      {isOwner && (
        <div className="flex flex-wrap gap-3">
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            {words.test}
          </Button>
          {model.source === 'workspace' && <Button onClick={() => setRemoving(true)}>{words.remove}</Button>}
        </div>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle}
          confirm={words.remove}
          action={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            remove.reset();
            setRemoving(false);
          }}
        >
          <p>{words.removeBody}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Learns({ model }: { model: Model }) {
  const { isOwner } = useMe();
  const change = useAction((learns: boolean) => api.patch<One<Model>>(path, { learns }), { onDone: keep });
  return (
    <>
      <Checkbox
        label={words.learns}
        hint={words.learnsHint}
        disabled={!isOwner || change.isPending}
        checked={change.isPending ? change.variables : model.learns}
        onCheck={isOn => change.mutate(isOn)}
      />
      {change.error && <ErrorBox error={change.error} />}
    </>
  );
}

function Form({ model }: { model: Model }) {
  const own = model.source === 'workspace' ? model : null;
  const [provider, setProvider] = useState<Provider>(own?.provider ?? 'openai');
  const [apiKey, setApiKey] = useState('');
  const [name, setName] = useState(own?.model ?? '');
  const begunUrl = (own && local.includes(provider) && own.baseUrl) || '';
  const [baseUrl, setBaseUrl] = useState(begunUrl);
  const isKept = own?.hasKey === true && own.provider === provider;
  const isUnchanged =
    provider === own?.provider && apiKey === '' && name === (own.model ?? '') && baseUrl === begunUrl;
  const connect = useAction((body: object) => api.put<One<Model>>(path, body), {
    onDone: answer => {
      keep(answer);
      setApiKey('');
      showToast({ text: words.connected });
    },
  });
  const choose = (chosen: Provider) => {
    setProvider(chosen);
    setName(chosen === own?.provider ? (own.model ?? '') : '');
    setBaseUrl('');
    connect.reset();
  };
  const submit = () => {
    const given = { apiKey: apiKey.trim(), model: name.trim(), baseUrl: baseUrl.trim() };
    const filled = Object.entries(given).filter(([, value]) => value !== '');
    connect.mutate({ provider, ...Object.fromEntries(filled) });
  };
  return (
    <ScriptForm onSubmit={submit} className="grid gap-4 border-t border-line pt-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={words.provider}
          value={provider}
          onValue={value => choose(value as Provider)}
          options={Object.entries(words.providers)}
        />
        <Field
          label={words.key}
          type="password"
          autoComplete="off"
          maxLength={1000}
          required={!isKept && !local.includes(provider)}
          isOptional={isKept || local.includes(provider)}
          hint={isKept ? words.keyKept : words.keyHint}
          value={apiKey}
          onValue={setApiKey}
        />
        <Field
          label={words.model}
          maxLength={200}
          required={provider === 'custom'}
          isOptional={provider !== 'custom'}
          hint={provider === 'custom' ? undefined : words.modelHint}
          value={name}
          onValue={setName}
        />
        {local.includes(provider) && (
          <Field
            label={words.address}
            type="url"
            maxLength={500}
            placeholder="https://host/v1"
            required={provider === 'custom'}
            isOptional={provider !== 'custom'}
            hint={words.addressHint}
            value={baseUrl}
            onValue={setBaseUrl}
          />
        )}
      </div>
      <FormActions label={own ? texts.common.save : words.connect} action={connect} disabled={isUnchanged} />
    </ScriptForm>
  );
}
