import { Button as DragButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import { ownOrigin } from '../../api.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Icon } from '../../ui/Icon.tsx';
import { deckType } from './Day.tsx';

const words = workTexts.calendar;

type Props = {
  decks: readonly Content[];
  /** The day that is chosen for the next deck, in words; null: none. */
  day: string | null;
  onChoose: (contentId: string) => void;
};

/** Decks without a time: dragged to a day, or pressed to be scheduled. */
export function Tray({ decks, day, onChoose }: Props) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ [deckType]: String(key) })),
  });
  return (
    <section aria-label={words.tray(decks.length)} className="grid gap-2">
      <h2 className="text-base">{day === null ? words.tray(decks.length) : words.chooseFor(day)}</h2>
      <GridList
        aria-label={words.tray(decks.length)}
        items={decks}
        layout="grid"
        dragAndDropHooks={dragAndDropHooks}
        onAction={key => onChoose(String(key))}
        className="flex gap-2 overflow-x-auto pb-1"
      >
        {deck => (
          <GridListItem
            id={deck.id}
            textValue={deck.result?.hook ?? words.untitled}
            className="flex w-52 shrink-0 cursor-pointer items-start gap-2 rounded border border-edge/60 bg-sheet p-2 text-xs data-[dragging]:opacity-40"
          >
            {deck.images[0] && (
              <img
                src={ownOrigin(deck.images[0].thumbnailUrl ?? deck.images[0].url)}
                alt=""
                loading="lazy"
                className="h-14 w-8 shrink-0 rounded-sm bg-deep object-cover"
              />
            )}
            <span className="line-clamp-3 flex-1 font-semibold">{deck.result?.hook ?? words.untitled}</span>
            <DragButton slot="drag" aria-label={words.toADay} className="grid size-6 place-items-center">
              <Icon name="grip" className="size-4" />
            </DragButton>
          </GridListItem>
        )}
      </GridList>
    </section>
  );
}
