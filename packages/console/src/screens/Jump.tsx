import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { appsQuery, contentList, rowsOf } from '../queries.ts';
import { hasWords } from '../rules/jump.ts';
import { jumpTexts as words } from '../texts/jump.ts';
import { type ScreenName, texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { deckName } from '../ui/deckName.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field } from '../ui/Field.tsx';
import { sections } from './settings/sections.ts';

/** Decks are asked for this long after the last key. */
const pauseMs = 200;
const decksMax = 8;

type Target = { kind: keyof typeof words.groups; name: string; to: string };
type Props = { screens: readonly { to: string; name: ScreenName }[]; onClose: () => void };

/** The way to any screen, app, section of Settings or deck by some of its words. */
export function Jump({ screens, onClose }: Props) {
  const router = useRouter();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [q, setQ] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const apps = useQuery(appsQuery).data ?? [];
  const decks = useInfiniteQuery({ ...contentList({ q }), enabled: q !== '' });
  const found: Target[] = [
    ...screens.map(({ to, name }) => ({ kind: 'screen' as const, name: texts.screens[name], to })),
    { kind: 'screen' as const, name: workTexts.toSchedule.title, to: '/to-schedule' },
    ...apps.map(({ id, name }) => ({ kind: 'app' as const, name, to: `/apps/${id}` })),
    ...Object.entries(sections).map(([id, name]) => ({
      kind: 'setting' as const,
      name,
      to: `/settings#${id}`,
    })),
  ].filter(({ name }) => hasWords(name, typed));
  // Results for an earlier text are not offered.
  if (q !== '' && q === typed.trim()) {
    const named = rowsOf(decks).map(content => ({ to: `/posts/${content.id}`, name: deckName(content) }));
    // A deck with the words in its name comes before one that has them on a later slide.
    named.sort((a, b) => Number(hasWords(b.name, typed)) - Number(hasWords(a.name, typed)));
    found.push(...named.slice(0, decksMax).map(deck => ({ kind: 'deck' as const, ...deck })));
  }
  const chosen = Math.min(at, found.length - 1);
  const isSearching = typed.trim() !== '' && (q !== typed.trim() || decks.isFetching);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    const [to = '', hash = ''] = target.to.split('#');
    void router.navigate({ to, hash });
  };
  const pressKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) go(found[chosen]);
    else setAt((chosen + by + found.length) % Math.max(found.length, 1));
  };
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <Dialog title={texts.nav.jump} onClose={onClose}>
      <Field
        label={words.label}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${listId}-${chosen}`}
        autoComplete="off"
        maxLength={200}
        value={typed}
        onValue={value => {
          setTyped(value);
          setAt(0);
        }}
        onKeyDown={pressKey}
      />
      {decks.error && <ErrorBox error={decks.error} onRetry={() => void decks.refetch()} />}
      {/* The focus stays in the field, which says what is chosen. */}
      <div ref={list} id={listId} role="listbox" aria-label={texts.nav.jump} className="h-72 overflow-y-auto">
        {found.map((target, index) => (
          <div
            key={target.to}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(target)}
            onKeyDown={pressKey}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 hover:bg-well aria-selected:bg-well"
          >
            <span dir="auto" className="line-clamp-1 flex-1 font-medium">
              {target.name}
            </span>
            <span className="text-sm text-soft">{words.groups[target.kind]}</span>
          </div>
        ))}
      </div>
      <p role="status" className="text-sm text-soft">
        {isSearching ? texts.common.loading : found.length === 0 ? words.none : words.found(found.length)}
      </p>
    </Dialog>
  );
}
