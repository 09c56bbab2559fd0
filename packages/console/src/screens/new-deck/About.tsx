import { textOfList } from '@hookline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { textModelQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import type { DraftChange, NewDeckDraft } from '../../rules/new-deck.ts';
import { newDeckTexts as words } from '../../texts/new-deck.ts';
import { texts } from '../../texts/shell.ts';
import { Button } from '../../ui/Button.tsx';
import { bound } from '../../ui/bound.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { OwnPictures } from './OwnPictures.tsx';

const hooksShown = 3;

type Props = {
  draft: NewDeckDraft;
  change: (part: DraftChange) => void;
  /** By the field of the API. */
  errors: Partial<Record<string, string>>;
  appId: string;
  /** Suggested ones. */
  hooks: readonly string[];
};

/** What a new deck is about. */
export function About({ draft, change, errors, appId, hooks }: Props) {
  const text = bound(draft, change);
  return (
    <div className="grid gap-3">
      <Pills
        label={words.about}
        name="about"
        names={words.abouts}
        value={draft.about}
        onChange={about => change({ about })}
      />
      {draft.about === 'app' && <p className="text-sm text-soft">{words.aboutApp}</p>}
      {draft.about === 'topic' && (
        <>
          <Field
            label={words.topic}
            error={errors['brief.topic']}
            required
            maxLength={500}
            {...text('topic')}
          />
          <TopicNeedsModel />
        </>
      )}
      {draft.about === 'hook' && (
        <>
          <TextArea
            label={words.hook}
            hint={words.hookHint}
            error={errors['brief.hook']}
            required
            maxLength={300}
            rows={2}
            {...text('hook')}
          />
          <Hooks hooks={hooks} chosen={draft.hook} onChoose={hook => change({ hook })} />
        </>
      )}
      {draft.about === 'list' && (
        <>
          <TextArea
            label={words.list}
            hint={words.listHint}
            error={errors.items}
            required
            className="!min-h-40"
            value={draft.list}
            onValue={list => change({ list })}
          />
          <TopicNeedsModel />
          <Field
            label={words.listFile}
            type="file"
            accept=".csv,.tsv,.txt,.json,text/csv"
            isOptional
            onChange={async event => {
              const file = event.target.files?.[0];
              if (file) change({ list: textOfList(new Uint8Array(await file.arrayBuffer())) });
            }}
          />
        </>
      )}
      {draft.about === 'pictures' && (
        <OwnPictures draft={draft} change={change} errors={errors} appId={appId} />
      )}
      {draft.about === 'texts' && (
        <>
          <TextArea
            label={words.lines}
            hint={words.linesHint}
            error={errors['brief.slides'] ?? errors['brief.hook']}
            required
            className="!min-h-40"
            {...text('lines')}
          />
          <Field
            label={words.closing}
            error={errors['brief.closing']}
            isOptional
            maxLength={300}
            {...text('closing')}
          />
        </>
      )}
    </div>
  );
}

function TopicNeedsModel() {
  const model = useQuery(textModelQuery).data;
  const { isOwner } = useMe();
  if (model?.source !== 'none') return null;
  return (
    <p className="rounded-control bg-warn-wash p-3 text-sm text-warn-ink">
      {words.topicNeedsModel}{' '}
      {isOwner ? (
        <Link to="/settings" hash="model" className="font-semibold underline underline-offset-2">
          {texts.approve.connectModel}
        </Link>
      ) : (
        words.ownerConnects
      )}
    </p>
  );
}

type HooksProps = { hooks: readonly string[]; chosen: string; onChoose: (hook: string) => void };

function Hooks({ hooks, chosen, onChoose }: HooksProps) {
  const [isWhole, setWhole] = useState(false);
  if (hooks.length === 0) return null;
  const shown = isWhole ? hooks : hooks.slice(0, hooksShown);
  return (
    <fieldset aria-label={words.suggested} className="flex flex-wrap gap-2">
      {shown.map(hook => (
        <Button
          key={hook}
          size="small"
          aria-pressed={hook === chosen}
          className={`!whitespace-normal text-start !rounded-2xl py-1 ${hook === chosen ? '!border-go !bg-go-wash !text-go-ink' : ''}`}
          onClick={() => onChoose(hook)}
        >
          <span dir="auto">{hook}</span>
        </Button>
      ))}
      {shown.length < hooks.length && (
        <Button size="small" tone="quiet" onClick={() => setWhole(true)}>
          {words.allHooks(hooks.length)}
        </Button>
      )}
    </fieldset>
  );
}
