/**
 * Back closes what is open. While something is, the history has one more entry of the same page. The router
 * never hears of it, and the next page takes its place.
 */
import { useEffect, useEffectEvent } from 'react';

/** How to close each; the last one is on top. */
const open: (() => void)[] = [];
let page = '';
let isLeaving = false;

// Before the router wraps them.
const push = history.pushState.bind(history);
const replace = history.replaceState.bind(history);
const isExtra = () => history.state?.isExtra === true;
history.pushState = (...given) => (isExtra() ? replace : push)(...given);

function settle(): void {
  if (isLeaving || open.length > 0 === isExtra()) return;
  page = location.href;
  if (open.length > 0) push({ ...history.state, isExtra: true }, '');
  else {
    isLeaving = true;
    history.back();
  }
}

addEventListener(
  'popstate',
  event => {
    setTimeout(settle);
    const close = isLeaving ? undefined : open.at(-1);
    const isOwn = (isLeaving || close !== undefined) && location.href === page;
    isLeaving = false;
    if (!isOwn) return;
    event.stopImmediatePropagation();
    close?.();
  },
  { capture: true },
);
// A page that was loaded again has nothing open.
settle();

/** @param isOn false where the address says what is open, so that Back closes it already */
export function useBackCloses(onClose: () => void, isOn = true): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOn) return;
    const entry = () => close();
    open.push(entry);
    settle();
    return () => {
      open.splice(open.indexOf(entry), 1);
      setTimeout(settle);
    };
  }, [isOn]);
}
