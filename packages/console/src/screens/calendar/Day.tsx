import { type ReactNode, useRef, useState } from 'react';
import { Button as DragButton, GridList, GridListItem, useDragAndDrop, useDrop } from 'react-aria-components';
import { ownOrigin } from '../../api.ts';
import { type Entry, type Look, runsOf, type Slot } from '../../rules/calendar.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { ToDeck } from '../../ui/DeckLink.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { clock, locale } from '../../zone.ts';
import { looks } from './looks.ts';

const words = workTexts.calendar;
export const scheduleType = 'application/x-hookline-schedule';
export const deckType = 'application/x-hookline-deck';

export type DayProps = {
  day: string;
  isToday: boolean;
  isOutside: boolean;
  isTall: boolean;
  /** False on days that are over. */
  takesPosts: boolean;
  entries: readonly Entry[];
  zone: string;
  /** The colour and the name of an account, where there are several. */
  accountOf: (id: string) => { name: string; colour: string } | undefined;
  canMove: (schedule: Schedule) => boolean;
  /** `slot`: the free one under the pointer. */
  onDropPost: (scheduleId: string, slot: Slot | null) => void;
  onDropDeck: (contentId: string, slot: Slot | null) => void;
  onOpen: (schedule: Schedule) => void;
  /** Shows this day alone. */
  onShow: () => void;
  onSlot: (slot: Slot) => void;
  /** Null: the role schedules nothing. */
  onAdd: (() => void) | null;
  rowRef: (row: HTMLElement | null) => void;
};

const long = new Intl.DateTimeFormat(locale(), {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
export const weekdayFormat = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'short' });

/** Says in words what the colour alone would. */
const notes: Partial<Record<Look, string>> = {
  failed: words.failed,
  held: words.held,
  due: workTexts.posts.states.due,
};

const slotOf = ({ accountId, at }: Entry): Slot => ({ accountId, at });

export function Day(props: DayProps) {
  const { day, isToday, isOutside, isTall, takesPosts, entries, onDropPost, onDropDeck, onAdd } = props;
  const date = new Date(`${day}T00:00:00Z`);
  // Only what waits can be moved.
  const canMove = ({ look, schedule }: Entry) =>
    (look === 'waiting' || look === 'held') && schedule !== null && props.canMove(schedule);
  const runs = runsOf(entries, canMove);
  const cell = useRef<HTMLDivElement>(null);
  const [slot, setSlot] = useState<Entry | null>(null);
  // The day that a post comes from takes it too: by keyboard the targets begin there and go on by date.
  // Without it they begin at the day that is nearest on the screen, for a Sunday one a week away.
  const { dropProps, isDropTarget } = useDrop({
    ref: cell,
    getDropOperation: types =>
      takesPosts && (types.has(scheduleType) || types.has(deckType)) ? 'move' : 'cancel',
    onDrop: async ({ items }) => {
      const free = slot && slotOf(slot);
      for (const item of items) {
        if (item.kind !== 'text') continue;
        if (item.types.has(scheduleType)) onDropPost(await item.getText(scheduleType), free);
        else if (item.types.has(deckType)) onDropDeck(await item.getText(deckType), free);
      }
      setSlot(null);
    },
  });
  const ground = isOutside ? 'bg-ground' : 'bg-sheet';
  return (
    <div
      {...dropProps}
      ref={cell}
      onDragOverCapture={() => setSlot(null)}
      onDragLeaveCapture={() => setSlot(null)}
      role="group"
      tabIndex={-1}
      aria-label={words.dayLabel(long.format(date), entries.filter(({ look }) => look !== 'free').length)}
      className={`flex flex-col p-1.5 ${isDropTarget ? 'bg-go-wash outline-2 -outline-offset-2 outline-go' : ground} ${isTall ? 'md:min-h-96' : `max-md:p-0 ${takesPosts ? 'md:min-h-28' : ''}`}`}
    >
      {!isTall && <Small {...props} />}
      <div className={isTall ? 'contents' : 'contents max-md:hidden'}>
        <div className="flex min-h-8 items-center gap-1.5 px-1 pb-1 text-sm">
          <span className={isTall ? 'text-soft' : 'sr-only'}>{weekdayFormat.format(date)}</span>
          <span
            aria-current={isToday ? 'date' : undefined}
            className={`font-semibold tabular-nums ${isToday ? today : ''}`}
          >
            {Number(day.slice(8))}
          </span>
          {takesPosts && onAdd && (
            <button
              type="button"
              aria-label={words.addOn(long.format(date))}
              onClick={onAdd}
              className="ms-auto grid size-8 place-items-center rounded-control text-soft hover:bg-well pointer-coarse:size-11"
            >
              <Icon name="plus" className="size-4" />
            </button>
          )}
        </div>
        <div className="grid gap-1">
          {runs.map(({ isMovable, entries: given }) =>
            isMovable ? (
              <Movable key={given[0]?.id} {...props} entries={given} />
            ) : (
              <ul key={given[0]?.id} className="grid gap-1">
                {given.map(entry => (
                  <li
                    key={entry.id}
                    onDragOver={() => setSlot(entry.look === 'free' ? entry : null)}
                    className={`relative ${chip} ${looks[entry.look]} ${isDropTarget && slot?.id === entry.id ? 'outline-2 outline-go' : ''}`}
                  >
                    {entry.look === 'free' ? (
                      <button
                        type="button"
                        onClick={() => props.onSlot(slotOf(entry))}
                        className="w-full text-start after:absolute after:inset-0 pointer-coarse:min-h-9"
                      >
                        <Text entry={entry} {...props} />
                      </button>
                    ) : (
                      <Text entry={entry} {...props} isLink />
                    )}
                    {notes[entry.look] && <span className="block font-semibold">{notes[entry.look]}</span>}
                  </li>
                ))}
              </ul>
            ),
          )}
        </div>
      </div>
    </div>
  );
}

/** A day of a month on a phone: the times of its posts in their colours, and a mark for each free slot. */
function Small({ day, isToday, entries, zone, onShow }: DayProps) {
  const { free = [], posts = [] } = Object.groupBy(entries, ({ look }) =>
    look === 'free' ? 'free' : 'posts',
  );
  const shown = posts.slice(0, posts.length > 3 ? 2 : 3);
  return (
    <button
      type="button"
      aria-current={isToday ? 'date' : undefined}
      onClick={onShow}
      className="grid min-h-11 flex-1 content-start justify-items-center gap-0.5 p-0.5 pb-1 text-sm md:hidden"
    >
      <span className={`font-semibold tabular-nums ${isToday ? today : ''}`}>{Number(day.slice(8))}</span>
      <span className="sr-only">
        {words.posts(posts.length)}, {words.freeSlots(free.length)}
      </span>
      {shown.map(({ id, at, look }) => (
        <span key={id} className={`w-full rounded border text-[0.6875rem] tabular-nums ${looks[look]}`}>
          {clock(at, zone)}
        </span>
      ))}
      {posts.length > shown.length && (
        <span className="text-[0.6875rem] text-soft">+{posts.length - shown.length}</span>
      )}
      <span className="flex flex-wrap gap-1">
        {free.map(({ id }) => (
          <span key={id} className={`h-2 w-4 rounded-sm border ${looks.free}`} />
        ))}
      </span>
    </button>
  );
}

const today = 'rounded-full bg-deep px-1.5 text-on-deep dark:bg-go dark:text-on-go';
const chip = '@container rounded border px-1.5 py-1 text-xs leading-snug';

function Movable({ entries, zone, isTall, accountOf, onOpen, rowRef }: DayProps) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ [scheduleType]: String(key) })),
  });
  return (
    <GridList
      aria-label={words.waiting}
      items={entries}
      dragAndDropHooks={dragAndDropHooks}
      onAction={key => {
        const schedule = entries.find(entry => entry.id === key)?.schedule;
        if (schedule) onOpen(schedule);
      }}
      className="grid gap-1"
    >
      {entry => (
        <GridListItem
          id={entry.id}
          ref={rowRef}
          textValue={`${clock(entry.at, zone)} ${entry.title}${entry.look === 'held' ? `, ${words.held}` : ''}`}
          className={`relative cursor-pointer data-[dragging]:opacity-40 ${chip} ${looks[entry.look]}`}
        >
          <Text entry={entry} zone={zone} isTall={isTall} accountOf={accountOf}>
            {/* In a month there is no room for it; a pointer drags the row. */}
            <DragButton
              slot="drag"
              aria-label={words.move}
              className={`size-6 place-items-center max-md:hidden pointer-coarse:size-11 ${isTall ? 'grid' : 'not-focus-visible:sr-only'}`}
            >
              <Icon name="grip" className="size-4" />
            </DragButton>
          </Text>
          {entry.look === 'held' && <span className="block">{words.held}</span>}
        </GridListItem>
      )}
    </GridList>
  );
}

type TextProps = Pick<DayProps, 'zone' | 'isTall' | 'accountOf'> & {
  entry: Entry;
  isLink?: boolean;
  /** Below the time. */
  children?: ReactNode;
};

/** Shows the picture, time and title of a post; a month shows the text alone. */
function Text({ entry, zone, isTall, accountOf, isLink = false, children }: TextProps) {
  const { at, schedule, title } = entry;
  const account = accountOf(entry.accountId);
  const name = title ?? (entry.look === 'free' ? words.free : words.planned);
  return (
    <span
      className={
        isTall ? 'grid grid-cols-[auto_minmax(0,1fr)] grid-rows-[auto_1fr] gap-x-1.5' : 'line-clamp-2'
      }
    >
      {isTall && schedule?.thumbnailUrl && (
        <img
          src={ownOrigin(schedule.thumbnailUrl)}
          alt=""
          loading="lazy"
          className="mb-1 h-16 w-9 rounded-sm bg-deep object-cover @xs:row-span-2"
        />
      )}
      <span className={isTall ? 'grid content-start justify-items-start' : ''}>
        <span className="inline-flex items-center gap-1 font-semibold whitespace-nowrap tabular-nums">
          {account && <span aria-hidden="true" className={`size-2 rounded-full ${account.colour}`} />}
          {clock(at, zone)}
        </span>
        {account && <span className={isTall ? 'max-w-full truncate' : 'sr-only'}> {account.name}</span>}
        {children}
      </span>{' '}
      {schedule && isLink ? (
        <ToDeck
          id={schedule.contentId}
          dir="auto"
          className={`after:absolute after:inset-0 ${titleBelowOrBeside}`}
        >
          {name}
        </ToDeck>
      ) : (
        <span dir="auto" className={titleBelowOrBeside}>
          {name}
        </span>
      )}
    </span>
  );
}

const titleBelowOrBeside = 'col-span-full @xs:col-span-1 @xs:col-start-2';
