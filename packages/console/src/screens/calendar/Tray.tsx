import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button as DragButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import { countsQuery, type ListQuery, readMore, rowsOf } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Thumbnail } from '../../ui/Thumbnail.tsx';
import { deckType } from './Day.tsx';

const words = workTexts.calendar;

type Props = {
  query: ListQuery<Content>;
  /** The day or slot that is chosen for the next deck, in words; null: none. */
  when: string | null;
  onChoose: (contentId: string) => void;
};

/** Decks without a time: dragged to a day, or pressed to be scheduled. On a phone they are folded until a day is chosen. */
export function Tray({ query, when, onChoose }: Props) {
  const decks = rowsOf(query);
  const count = Math.max(useQuery(countsQuery).data?.toSchedule ?? 0, decks.length);
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (when !== null) section.current?.scrollIntoView({ block: 'nearest' });
  }, [when]);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ [deckType]: String(key) })),
  });
  return (
    <section ref={section} aria-label={words.tray(count)} className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 className={`text-base ${when === null ? 'max-md:hidden' : ''}`}>
          {when === null ? words.tray(count) : words.chooseFor(when)}
        </h2>
        {when === null && (
          <Button
            size="small"
            className="flex-1 !justify-between md:hidden"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {words.tray(count)}
            <Icon name="forward" className={isOpen ? '-rotate-90' : 'rotate-90'} />
          </Button>
        )}
        {query.hasNextPage && (
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void readMore(query)}>
            {texts.common.more}
          </Button>
        )}
      </div>
      <GridList
        aria-label={words.tray(count)}
        items={decks}
        layout="grid"
        dragAndDropHooks={dragAndDropHooks}
        onAction={key => onChoose(String(key))}
        className={`flex gap-2 overflow-x-auto pb-1 ${isOpen || when !== null ? '' : 'max-md:hidden'}`}
      >
        {deck => (
          <GridListItem
            id={deck.id}
            textValue={deck.result?.hook ?? words.untitled}
            className="flex w-52 shrink-0 cursor-pointer items-start gap-2 rounded border border-edge/60 bg-sheet p-2 text-xs data-[dragging]:opacity-40"
          >
            <Thumbnail images={deck.images} />
            <span dir="auto" className="line-clamp-3 flex-1 font-semibold">
              {deck.result?.hook ?? words.untitled}
            </span>
            <DragButton
              slot="drag"
              aria-label={words.toADay}
              className="grid size-6 place-items-center max-md:hidden pointer-coarse:size-11"
            >
              <Icon name="grip" className="size-4" />
            </DragButton>
          </GridListItem>
        )}
      </GridList>
    </section>
  );
}
