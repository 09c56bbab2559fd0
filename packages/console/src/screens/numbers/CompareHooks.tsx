import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { listOf, rowsOf, useIsMetered } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Choices, Field, Select } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = workTexts.compareHooks;
type Wanted = { hooks?: string[]; against?: string[]; readAfterHours: number };

const listed = (name: 'hooks' | 'against', values: readonly string[]) =>
  values.length === 0 ? {} : { [name]: [...values] };

/** Names which decks are compared by their hooks, before any is posted. */
export function CompareHooks({
  content: { id, appId, result },
  onClose,
}: {
  content: Content;
  onClose: () => void;
}) {
  const isMetered = useIsMetered();
  const filter = { appId, approvalStatus: 'approved', scheduled: 'false' };
  const list = useInfiniteQuery(listOf<Content>(['content', 'to-compare'], '/content', filter, 100));
  const [hooks, setHooks] = useState<readonly string[]>([]);
  const [ownHook, setOwnHook] = useState('');
  const [against, setAgainst] = useState<readonly string[]>([]);
  const start = useAction<Wanted>((body, key) => api.post(`/content/${id}/experiment`, body, { key }), {
    changes: ['numbers', 'content', 'credits'],
    onDone: () => {
      showToast({ text: words.started });
      onClose();
    },
  });
  const submit = (given: FormData) => {
    const readAfterHours = Number(given.get('hours'));
    start.mutate({ ...listed('hooks', wanted), ...listed('against', against), readAfterHours });
  };
  const options = (result?.hookOptions ?? []).filter(hook => hook !== result?.hook);
  const wanted = ownHook.trim() === '' ? hooks : [...hooks, ownHook];
  const others = rowsOf(list).flatMap(row =>
    row.id !== id && row.result ? { value: row.id, label: row.result.hook } : [],
  );
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.common.close}</Button>}
    >
      <p className="text-soft">{words.lead}</p>
      <Shown query={list}>
        {() => (
          <ScriptForm onSubmit={submit}>
            <p className="break-words">{words.hook(result?.hook ?? '')}</p>
            <Choices
              legend={isMetered ? words.copies : words.copiesFree}
              options={options.map(hook => ({ value: hook, label: hook }))}
              chosen={hooks}
              onChange={setHooks}
            />
            <Field label={words.ownHook} value={ownHook} maxLength={300} onValue={setOwnHook} isOptional />
            <Choices legend={words.against} options={others} chosen={against} onChange={setAgainst} />
            <Select label={words.hours} name="hours" defaultValue="48" options={words.durations} />
            <p className="text-sm text-soft">{words.honest}</p>
            <FormActions label={words.start} action={start} disabled={wanted.length + against.length === 0} />
          </ScriptForm>
        )}
      </Shown>
    </Dialog>
  );
}
