import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Look } from '../../rules/approve-queue.ts';
import { secondTapMs } from '../../rules/durations.ts';

/**
 * Says when the first slide of the deck inside is painted, and when it was on screen long enough.
 * @param slides where they are shown
 */
export function useFirstLook(deck: RefObject<HTMLElement | null>, onLook: (look: Look) => void): void {
  const say = useEffectEvent(onLook);
  useEffect(() => {
    const slides = deck.current?.querySelector('.strip');
    if (!slides) return;
    let isOnScreen = false;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
    const look = () => {
      stop();
      const picture = slides.querySelector('img');
      if (!isOnScreen || picture?.complete === false || picture?.naturalWidth === 0) return;
      // A hidden page has no frames.
      frame = requestAnimationFrame(() => {
        say('painted');
        timer = setTimeout(() => {
          end();
          say('ready');
        }, secondTapMs);
      });
    };
    const fail = ({ target }: Event) => {
      if (target === slides.querySelector('img')) say('failed');
    };
    const observer = new IntersectionObserver(
      entries => {
        const { isIntersecting = false, intersectionRect } = entries.at(-1) ?? {};
        isOnScreen = isIntersecting && intersectionRect?.width !== 0;
        look();
      },
      { threshold: 0.5 },
    );
    const end = () => {
      stop();
      observer.disconnect();
      slides.removeEventListener('load', look, true);
      slides.removeEventListener('error', fail, true);
    };
    observer.observe(slides);
    slides.addEventListener('load', look, true);
    slides.addEventListener('error', fail, true);
    return end;
  }, [deck]);
}
