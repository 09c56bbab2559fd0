import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { useMe } from '../../me.ts';
import { one, orNull } from '../../queries.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content, DeckResults, VideoAnalytics } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = workTexts.results;
const names = ['views', 'likes', 'comments', 'shares', 'saves'] as const;
type Entered = Partial<Record<(typeof names)[number], number>>;

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id],
    queryFn: ({ signal }) => orNull(one<DeckResults | null>(`/content/${id}/results`, undefined, signal)),
  });

/** A link to the form leads below the fold. */
const showForm = (form: HTMLFormElement | null) => form?.scrollIntoView({ block: 'nearest' });

type Props = { content: Content; isPosted: boolean };

/** What an approved deck brought, and a form to enter or correct it. */
export function Results({ content: { id, approvalStatus }, isPosted }: Props) {
  const { canEdit } = useMe();
  const isApproved = approvalStatus === 'approved';
  const query = useQuery({ ...resultsQuery(id), enabled: isApproved });
  const [isOpen, setOpen] = useState(location.hash === '#numbers');
  const enter = useAction<Entered>((body, key) => api.post(`/content/${id}/results`, body, { key }), {
    changes: ['results', 'numbers'],
    onDone: () => {
      setOpen(false);
      showToast({ text: words.saved });
    },
  });
  const kept = query.data;
  if (!isApproved || !(isPosted || kept)) return null;
  const read = (form: FormData): Entered =>
    Object.fromEntries(
      names.filter(name => form.get(name) !== '').map(name => [name, Number(form.get(name))]),
    );
  return (
    <Card title={words.title}>
      <ReadError queries={[query]} />
      <p className="text-soft">
        {kept ? (
          <>
            {words.readAt(kept.by?.name ?? null)} <TimeInZone at={kept.at} />
          </>
        ) : (
          words.lead
        )}
      </p>
      {kept && !isOpen && (
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {names.map(name => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-soft">{words[name]}</dt>
              <dd className="text-lg font-semibold tabular-nums">{kept[name]?.toLocaleString() ?? '–'}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen && (
        <ScriptForm ref={showForm} className="grid gap-3" onSubmit={given => enter.mutate(read(given))}>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-5">
            {names.map(name => (
              <Field
                key={name}
                label={words[name]}
                name={name}
                type="number"
                inputMode="numeric"
                min={0}
                step={1}
                required={name === 'views'}
                defaultValue={kept?.[name] ?? ''}
              />
            ))}
          </div>
          <FormActions label={words.save} action={enter} onCancel={() => setOpen(false)} />
        </ScriptForm>
      )}
      <Elsewhere id={id}>
        {canEdit && !isOpen && query.isSuccess && (
          <Button size="small" onClick={() => setOpen(true)}>
            {kept ? words.correct : words.enter}
          </Button>
        )}
      </Elsewhere>
    </Card>
  );
}

const elsewhereQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id, 'elsewhere'],
    queryFn: ({ signal }) => orNull(one<VideoAnalytics>(`/analytics/content/${id}`, undefined, signal)),
  });

/** The posts of the deck on other platforms, and a form to name one. */
function Elsewhere({ id, children }: { id: string; children: ReactNode }) {
  const { canEdit } = useMe();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(elsewhereQuery(id));
  const add = useAction<string>((url, key) => api.post(`/content/${id}/posts`, { url }, { key }), {
    changes: ['results', 'numbers'],
    onDone: () => {
      setOpen(false);
      showToast({ text: words.added });
    },
  });
  return (
    <>
      <ReadError queries={[query]} />
      {query.data?.posts.map(({ platform, platformPostId, views }) => (
        <p key={platformPostId} className="text-soft">
          {words.elsewhere[platform]}: {words.viewsOf(views)}
        </p>
      ))}
      <div className="flex flex-wrap gap-2.5 empty:hidden">
        {children}
        {canEdit && !isOpen && (
          <Button size="small" onClick={() => setOpen(true)}>
            {words.addElsewhere}
          </Button>
        )}
      </div>
      {isOpen && (
        <ScriptForm className="grid gap-3" onSubmit={given => add.mutate(String(given.get('url')))}>
          <Field label={words.url} name="url" type="url" required />
          <FormActions label={words.add} action={add} onCancel={() => setOpen(false)} />
        </ScriptForm>
      )}
    </>
  );
}
