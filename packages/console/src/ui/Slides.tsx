import { type ComponentProps, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { ownOrigin } from '../api.ts';
import { waitBeforeMs } from '../live.ts';
import { slideTexts } from '../rules/deck.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Icon } from './Icon.tsx';
import type { Frame } from './useTikTokFrame.tsx';

export type SlidesControl = {
  move: (by: 1 | -1) => void;
  /** Scrolls the strip to a slide, and never the page. */
  show: (slide: number) => void;
};

type Props = {
  content: Content;
  frame?: Frame;
  /** A slide was on screen and its picture had arrived. */
  onSeen?: (slide: number) => void;
  /** A picture could not be loaded: its link has expired. At most once a minute. */
  onExpired?: () => void;
  control?: RefObject<SlidesControl | null>;
  className?: string;
};

const expiredEveryMs = 60_000;

/** The slides of a deck, one on screen at a time, swiped or moved by buttons and arrow keys. */
export function Slides({ content, frame, onSeen, onExpired, control, className = '' }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(1);
  // Known before the next render: a picture may arrive in between.
  const onScreen = useRef(1);
  // Where buttons and keys are scrolling to: the next step counts from there. Null while
  // nothing scrolls, or by hand.
  const target = useRef<number | null>(null);
  const slides = slidesOf(content);
  const total = slides.length;
  const seen = useRef(onSeen);
  seen.current = onSeen;

  useEffect(() => {
    const root = strip.current;
    if (root === null) return;
    const observer = new IntersectionObserver(
      entries => {
        for (const { isIntersecting, intersectionRect, target: element } of entries) {
          // In a window too low for slides all of them have no size, and intersect.
          if (!isIntersecting || intersectionRect.width === 0) continue;
          const slide = Number((element as HTMLElement).dataset.slide);
          onScreen.current = slide;
          if (slide === target.current) target.current = null;
          setAt(slide);
          const picture = element.querySelector('img');
          if (picture === null || (picture.complete && picture.naturalWidth > 0)) seen.current?.(slide);
        }
      },
      { root, threshold: 0.6 },
    );
    for (const slide of root.children) observer.observe(slide);
    return () => observer.disconnect();
  }, [content.id, content.version, total]);

  const [first, setFirst] = useState<'loading' | 'there' | 'failed'>('loading');
  const expiredAt = useRef(0);
  const expired = () => {
    if (Date.now() - expiredAt.current < expiredEveryMs) return;
    expiredAt.current = Date.now();
    onExpired?.();
  };
  const move = (by: 1 | -1) => {
    const slide = (target.current ?? onScreen.current) + by;
    const element = strip.current?.children[slide - 1];
    if (element === undefined) return;
    target.current = slide === onScreen.current ? null : slide;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', inline: 'center', block: 'nearest' });
  };
  const scrollByHand = () => {
    target.current = null;
  };
  const show = (slide: number) => {
    const element = strip.current?.children[slide - 1] as HTMLElement | undefined;
    if (element) strip.current?.scrollTo({ left: element.offsetLeft });
  };
  useImperativeHandle(control, () => ({ move, show }));

  return (
    <div
      className={`relative mx-auto aspect-[9/16] overflow-hidden rounded-card bg-deep shadow-lift ${className}`}
    >
      <div
        ref={strip}
        role="group"
        tabIndex={0}
        aria-label={texts.approve.slides}
        onPointerDown={scrollByHand}
        onWheel={scrollByHand}
        className="strip h-full"
      >
        {slides.map(({ url, thumbnailUrl, text }, index) => (
          <div
            key={`${index + 1}`}
            data-slide={index + 1}
            className="h-full w-full shrink-0 snap-center snap-always"
          >
            {url === null ? (
              <div
                role="img"
                aria-label={texts.approve.slide(index + 1, total, text)}
                dir="auto"
                className="grid h-full place-items-center bg-deep p-6 text-center text-xl font-bold text-on-deep"
              >
                {text}
                <span className="absolute inset-x-0 bottom-16 mx-auto w-fit rounded-full bg-warn-wash px-3 py-1 text-sm text-warn-ink">
                  {texts.approve.textOnly}
                </span>
              </div>
            ) : (
              <Picture
                // The first slide has the whole connection.
                src={index === 0 || first !== 'loading' ? url : undefined}
                alt={texts.approve.slide(index + 1, total, text)}
                style={
                  index === 0 && thumbnailUrl ? { backgroundImage: `url("${thumbnailUrl}")` } : undefined
                }
                decoding={index === 0 ? 'sync' : 'async'}
                loading={index < 2 ? 'eager' : 'lazy'}
                fetchPriority={index === 0 ? 'high' : 'auto'}
                onLoad={() => {
                  if (index === 0) setFirst('there');
                  if (index + 1 === onScreen.current) onSeen?.(index + 1);
                }}
                onError={() => {
                  if (index === 0) setFirst('failed');
                  expired();
                }}
              />
            )}
          </div>
        ))}
      </div>
      {first !== 'there' && slides[0]?.url && (
        <p
          role="status"
          className="late pointer-events-none absolute inset-x-0 bottom-16 mx-auto w-fit rounded-full bg-black/60 px-4 py-1 text-center text-sm text-white"
        >
          {first === 'loading' ? texts.approve.pictureLoading : texts.approve.pictureFailed}
        </p>
      )}
      {frame?.drawn}
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 top-0 flex gap-1 bg-linear-to-b from-black/45 to-transparent px-3 pt-2 pb-8"
      >
        {slides.map((_, index) => (
          <span
            key={`${index + 1}`}
            className={`h-1 flex-1 rounded-full shadow ${index + 1 === at ? 'bg-white' : 'bg-white/40'}`}
          />
        ))}
      </div>
      {total > 1 && (
        <>
          <Arrow
            side="start"
            isRaised={frame?.isOn}
            isDisabled={at === 1}
            label={texts.approve.previousSlide}
            onPress={() => move(-1)}
          />
          <Arrow
            side="end"
            isRaised={frame?.isOn}
            isDisabled={at === total}
            label={texts.approve.nextSlide}
            onPress={() => move(1)}
          />
        </>
      )}
    </div>
  );
}

/** Loads again what failed: the link of a version stays the same, so nothing else would. */
function Picture({ onError, ...rest }: ComponentProps<'img'>) {
  const [failures, setFailures] = useState(0);
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(again.current), []);
  return (
    // biome-ignore lint/a11y/useAltText: it is among the properties
    <img
      key={failures}
      width={1080}
      height={1920}
      draggable={false}
      className="size-full bg-cover object-cover text-transparent"
      {...rest}
      onError={event => {
        onError?.(event);
        again.current = setTimeout(() => setFailures(failures + 1), waitBeforeMs(failures));
      }}
    />
  );
}

type Slide = { url: string | null; thumbnailUrl?: string | undefined; text: string };

function slidesOf(content: Content): Slide[] {
  const lines = slideTexts(content);
  if (content.images.length === 0) return lines.map(text => ({ url: null, text }));
  return content.images.map(({ url, thumbnailUrl }, index) => ({
    url: ownOrigin(url),
    thumbnailUrl: thumbnailUrl && ownOrigin(thumbnailUrl),
    text: lines[index] ?? '',
  }));
}

export function slideCount(content: Content): number {
  return slidesOf(content).length;
}

type ArrowProps = {
  side: 'start' | 'end';
  isRaised: boolean | undefined;
  isDisabled: boolean;
  label: string;
  onPress: () => void;
};

function Arrow({ side, isRaised, isDisabled, label, onPress }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      onClick={onPress}
      className={`absolute grid size-11 place-items-center rounded-full bg-black/45 text-white disabled:hidden ${isRaised ? 'top-[max(25%,4.25rem)]' : 'bottom-2'} ${side === 'start' ? 'start-1.5' : 'end-1.5'}`}
    >
      <Icon name={side === 'start' ? 'back' : 'forward'} />
    </button>
  );
}
