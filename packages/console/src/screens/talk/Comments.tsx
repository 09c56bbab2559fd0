import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { keepDraft, readDraft } from '../../drafts.ts';
import { useMe } from '../../me.ts';
import { listOf, readMore, rowsOf, sessionQuery } from '../../queries.ts';
import { slideTexts } from '../../rules/deck.ts';
import { talkTexts } from '../../texts/talk.ts';
import type { Comment, Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Select, TextArea } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = talkTexts.comments;
type Said = { text: string; slide?: number };

/** What people and keys said about a deck, and a form to add to it. Viewers may not read it. */
export function Comments({ content }: { content: Content }) {
  const { canEdit } = useMe();
  // What was typed before a sign-in belongs to the person who typed it.
  const { isPending } = useQuery(sessionQuery);
  return canEdit && !isPending ? <Thread key={content.id} content={content} /> : null;
}

function Thread({ content }: { content: Content }) {
  const path = `/content/${content.id}/comments`;
  const query = useInfiniteQuery(listOf<Comment>(['content', content.id, 'comments'], path));
  const draft = `comment ${content.id}`;
  const [isOpen, setOpen] = useState(() => readDraft(draft) !== null);
  const close = () => {
    keepDraft(draft, null);
    setOpen(false);
  };
  const add = useAction<Said>((body, key) => api.post(path, body, { key }), {
    changes: ['content'],
    onDone: close,
  });
  const rows = rowsOf(query);
  return (
    <Card title={words.title}>
      <ReadError queries={[query]} />
      {query.isSuccess && rows.length === 0 && <p className="text-soft">{words.none}</p>}
      <ul className="grid gap-3">
        {rows.map(({ id, by, slide, version, text, createdAt }) => (
          <li key={id} className="grid gap-0.5 rounded-control bg-well p-3">
            <p className="flex flex-wrap justify-between gap-x-3 text-sm">
              <span>
                <span className="font-semibold">{by?.name}</span>
                {slide !== null && ` · ${words.on(slide)}`}
                {version !== content.version && ` · ${words.version(version)}`}
              </span>
              <span className="text-soft">
                <TimeInZone at={createdAt} />
              </span>
            </p>
            <p dir="auto" className="whitespace-pre-wrap break-words">
              {text}
            </p>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void readMore(query)}>
          {words.older}
        </Button>
      )}
      {isOpen ? (
        <ScriptForm
          className="grid gap-3"
          onSubmit={given => {
            const slide = Number(given.get('slide'));
            add.mutate({ text: String(given.get('text')), ...(slide > 0 ? { slide } : {}) });
          }}
        >
          <Select label={words.slide} name="slide" defaultValue="0">
            <option value="0">{words.whole}</option>
            {slideTexts(content).map((text, index) => (
              <option key={`${index + 1}`} value={index + 1}>
                {`${words.on(index + 1)}: ${text.slice(0, 60)}`}
              </option>
            ))}
          </Select>
          <TextArea
            label={words.text}
            name="text"
            required
            maxLength={2_000}
            defaultValue={readDraft<string>(draft) ?? ''}
            onChange={({ target }) => keepDraft(draft, target.value || null)}
          />
          <FormActions label={words.add} action={add} onCancel={close} />
        </ScriptForm>
      ) : (
        <div>
          <Button size="small" onClick={() => setOpen(true)}>
            {words.write}
          </Button>
        </div>
      )}
    </Card>
  );
}
