import { useEffect, useEffectEvent } from 'react';
import { readFlag } from '../../flags.ts';

/** Single keys, unless they are switched off (WCAG 2.1.4) or something is typed or open. */
export function useShortcuts(actions: Readonly<Record<string, (() => unknown) | null>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    // A key that is held down decides once.
    if (event.repeat && 'areu'.includes(key)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (readFlag('no-shortcuts') && !event.key.startsWith('Arrow')) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select, [contenteditable], dialog')) return;
    const action = actions[key];
    if (!action || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
