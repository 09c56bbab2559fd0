import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { useBackCloses } from './back.ts';
import { Icon } from './Icon.tsx';

type Item = { label: string; onPress: () => void; isDisabled?: boolean };

type Props = {
  /** What it belongs to, for assistive technology. */
  of: string;
  /** False is left out. */
  items: readonly (Item | false)[];
};

/**
 * Lists the further actions of a row: in a sheet at the bottom of a phone, elsewhere next to the button. The native
 * popover lies on top, closes on Escape or a press outside, and returns the focus.
 */
export function Menu({ of, items }: Props) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => menu.current?.hidePopover();
  useBackCloses(close, isOpen);
  const rows = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:enabled') ?? [])];
  const place = () => {
    if (menu.current === null || button.current === null) return;
    const { top, bottom, right } = button.current.getBoundingClientRect();
    const isLow = bottom > innerHeight / 2;
    menu.current.style.setProperty('--top', isLow ? 'auto' : `${bottom}px`);
    menu.current.style.setProperty('--bottom', isLow ? `${innerHeight - top}px` : 'auto');
    menu.current.style.setProperty('--right', `${document.documentElement.clientWidth - right}px`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return close();
    const at = rows().indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    rows()
      .at(to % rows().length)
      ?.focus();
  };
  const shown = items.filter(item => item !== false);
  if (shown.length === 0) return null;
  const label = texts.common.moreFor(of);
  return (
    <>
      <Button
        ref={button}
        size="small"
        tone="quiet"
        className="!px-2"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        icon={<Icon name="dots" />}
      />
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={place}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') rows()[0]?.focus();
        }}
        onKeyDown={onKeyDown}
        className="fixed inset-auto top-(--top) right-(--right) bottom-(--bottom) m-0 min-w-56 rounded-control border border-line bg-sheet p-1.5 text-ink shadow-lift backdrop:bg-transparent max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:w-full max-sm:rounded-b-none max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:backdrop:bg-black/40"
      >
        {shown.map(({ label, onPress, isDisabled }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={isDisabled}
            onClick={() => {
              close();
              onPress();
            }}
            className="flex min-h-11 w-full items-center rounded-control px-3 text-start font-medium hover:bg-well disabled:opacity-55"
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}
